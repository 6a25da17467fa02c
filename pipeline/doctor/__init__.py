"""Looks over a whole installation, changes nothing, and says per finding what to do.

Reading order: `model` (a finding), `machine` (what the installation stands on), `stores` (its
files), `ledger` (its jobs), `examine` (all of it, with the checks of rooms above).
"""
