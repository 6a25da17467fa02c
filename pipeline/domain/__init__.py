"""One room for each thing that is remembered; its rows are written there and nowhere else."""
