mod poisson;
mod scene;
