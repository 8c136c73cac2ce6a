"""``python -m polythetic`` is ``polythetic``: torchrun starts it so."""

from polythetic.cli import main

main()
