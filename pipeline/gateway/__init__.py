"""What leaves the process, what it costs, and whether it may."""
