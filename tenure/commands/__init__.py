"""What the program can be asked to do, a room for each command."""
