"""Operations that work over several areas for one command."""
