"""Results stored between builds, and the check whether a build is up to date."""
