"""Live preview: the server, the watcher, the snapshot of the site, and the client script."""
