mod scene;
