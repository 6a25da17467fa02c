"""Which assets, chains and addresses a text is about, and what it says was done with each."""
