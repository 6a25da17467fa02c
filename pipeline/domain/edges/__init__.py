"""Typed edges from rows to the assets, chains and addresses they are about."""
