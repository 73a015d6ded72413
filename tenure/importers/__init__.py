"""Another system's files to the sources of a site; never part of a build."""
