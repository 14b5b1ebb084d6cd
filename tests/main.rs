mod bake;
mod scene;
