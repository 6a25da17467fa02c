"""What moved an account's money beside trades and funding: deposits, withdrawals, transfers.

Reading order: `area` (what the room declares), `model`, `effects` (what an update of the venue's
ledger does to the account), `read` (rows of the venue), `rows`.
"""
