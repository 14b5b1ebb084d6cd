mod scene;
mod stable_fluids;
