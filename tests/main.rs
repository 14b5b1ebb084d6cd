mod poisson;
