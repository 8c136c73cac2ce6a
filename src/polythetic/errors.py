"""What can go wrong, each with the argument, the value and the remedy in its message."""

from __future__ import annotations


class PolytheticError(Exception):
    """The root of every error that polythetic raises on purpose."""


class InputError(PolytheticError, ValueError):
    """An argument cannot be used; the message names it, shows its value and says what would do.

    >>> raise InputError("repeats", -1, "a whole number of rounds, 0 or more")
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: repeats = -1: expected a whole number of rounds, 0 or more
    """

    def __init__(self, argument: str, value: object, expected: str):
        super().__init__(argument, str(value), expected)  # as they are: so it can be sent from process to process
        self.argument = argument

    def __str__(self) -> str:
        return "{} = {}: expected {}".format(*self.args)


class TooLargeError(PolytheticError, MemoryError):
    """The work would not fit in the memory that is free; said before it is tried."""


class ResultError(PolytheticError):
    """A result file cannot be read, or must not be replaced."""


class DataError(PolytheticError):
    """A file of data is damaged, unsafe or not what it should be; the message names it and says what to do."""


class MissingDataError(DataError):
    """Data that are not on this machine; the message says where they were looked for and how to get them."""


class StoppedError(PolytheticError):
    """A run was asked to stop; its state is saved."""


class SingleRowClassWarning(UserWarning):
    """A class of one row attends only to itself, so it says nothing of which features matter."""


class CacheWarning(UserWarning):
    """Something could not be kept for the next time; nothing is wrong with it, but it will be made again."""


class UnseenCategoryWarning(UserWarning):
    """A category that none of the labelled rows has; the message names the column and the category."""
