"""Files as they lie on disk: where they are, how they are fetched, opened and decoded, and what is not trusted."""
