"""What is no test and no part of a site: benchmarks, pictures, checks of the code, drawings, fonts."""
