mod bake;
