"""Pure functions: no state, no input or output."""
