"""A command whose jobs take a while, done by two processes: ``python -m tests.jobs.stoppable FOLDER``."""

from pathlib import Path

import typer

from polythetic.cli.friendly import friendly
from polythetic.jobs import Job, Machine, Store, carry_out
from polythetic.progress import Silent
from tests.jobs import works


def jobs(folder: Path) -> list[Job]:
    quick = [Job(f"number {x}", works.number, {"x": x, "log": str(folder / "log")}, cost=9.0) for x in range(3)]
    training = Job("training", works.training, {"settings": works.strings(200)}, folder="strings")
    idle = Job("sleeping", works.sleeping, {"x": 3, "seconds": 1, "log": str(folder / "log")})
    return [*quick, training, idle]


def main(folder: Path) -> None:
    carry_out(jobs(folder), store=Store(folder / "cells"), crew=Machine(2), progress=Silent(), folder=folder)


if __name__ == "__main__":
    typer.run(friendly(main, keeps=True))
