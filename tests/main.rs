mod scene;
mod view;
