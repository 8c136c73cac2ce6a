"""The main job: run experiments, keep each result as soon as it is there, then draw and report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from polythetic._version import __version__
from polythetic.errors import ResultError
from polythetic.experiments import Experiment, Run
from polythetic.experiments.experiment import Budget
from polythetic.progress import Progress
from polythetic.report.page import write_page
from polythetic.report.pictures import save_picture
from polythetic.results import Result, folder, load, save


def reproduce(
    experiments: Sequence[Experiment],
    *,
    budget: Budget,
    seed: int,
    out: Path,
    force: bool,
    progress: Progress,
    say: Callable[[str], None],
) -> tuple[list[Result], Path]:
    """Run what is not there yet, draw everything, and write the report; returns the results and the report's path.

    A result that is there, with the same budget, seed and version, is not computed again: after an interruption
    the same call goes on where it was.
    """
    place = folder(out, budget.name)
    place.mkdir(parents=True, exist_ok=True)  # if that cannot be, better to hear of it before the work
    results = []
    for experiment in experiments:
        result = None if force else _there(place, experiment, budget, seed)
        fresh = result is None
        if result is not None:
            say(f"{experiment.name}: already in {place}, kept (--force runs it again)")
        else:
            started = time.monotonic()
            rows = experiment.run(Run(budget, seed, progress))
            command = f"polythetic reproduce {experiment.name} --budget {budget.name} --seed {seed}"
            result = Result(experiment.name, budget.name, command, seed, rows)
            save(result, out, force=force)
            say(f"{experiment.name}: done in {time.monotonic() - started:.0f} s")
        if experiment.draw is not None and (fresh or not (place / "figures" / f"{experiment.name}.png").exists()):
            save_picture(partial(experiment.draw, result), place / "figures", experiment.name)
        results.append(result)
    return results, write_page(list(zip(experiments, results, strict=True)), place)


def _there(place: Path, experiment: Experiment, budget: Budget, seed: int) -> Result | None:
    path = place / f"{experiment.name}.json"
    if not path.exists():
        return None
    result = load(path)
    same = (result.budget, result.seed) == (budget.name, seed)
    if same and result.versions.get("polythetic") == __version__:
        return result
    if not same and budget.name != "paper" and result.budget == "paper":
        raise ResultError(f"{path} is of the paper budget; --force replaces it")
    return None
