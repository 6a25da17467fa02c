"""Looks over a whole installation and says per finding what to do; asked to, it mends.

Reading order: `model` (a finding), `machine` (what the installation stands on), `stores` (its
files), `ledger` (its jobs), `fleet` (the processes that run them), `memory` and `memory_rows` (what
is remembered and derived), `examine` (all of it, with the checks of rooms above), `anonymous` (a
report for strangers), `fix` (what can be derived anew).
"""
