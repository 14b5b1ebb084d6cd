mod stable_fluids;
