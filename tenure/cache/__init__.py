"""Results kept between builds, and the check whether a build is up to date."""
