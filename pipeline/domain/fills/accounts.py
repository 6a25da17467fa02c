"""Which rows are of an account: its own, and those of the accounts that a file names below it."""


def of_account(column: str = "sub_account_id") -> str:
    """Return the condition for the rows of `:account`; of all accounts if it is null.

    A file that names its accounts puts them below the name of its owner: `main/sub1`.

    Args:
        column: that holds the name of the account.
    """
    below = f"substr({column}, 1, length(:account) + 1) = :account || '/'"
    return f"(:account IS NULL OR {column} = :account OR {below})"


def is_of_account(name: str, account: str) -> bool:
    """Tell an account, or one that a file names below it; see `of_account`."""
    return name == account or name.startswith(f"{account}/")
