"""Data: where files come from, how they are checked, and what they hold."""
