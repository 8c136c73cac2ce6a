"""The tests; a package, so that they can share `tests.plain` and pytest keeps the conftest.py above them."""
