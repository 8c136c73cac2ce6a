"""The main job: run experiments, keep each result as soon as it is there, then draw and report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from polythetic.experiments import EXPERIMENTS
from polythetic.experiments.experiment import Budget, Experiment, Run
from polythetic.progress import Progress
from polythetic.report.page import write_page
from polythetic.report.pictures import save_picture
from polythetic.report.section import Section
from polythetic.results import Result, ensure_replaceable, folder, load, save, versions


class Reproduced(NamedTuple):
    """What a run leaves behind."""

    results: list[Result]
    sections: list[Section]
    page: Path


def reproduce(
    experiments: Sequence[Experiment],
    *,
    budget: Budget,
    seed: int,
    out: Path,
    force: bool,
    progress: Progress,
    say: Callable[[str], None],
) -> Reproduced:
    """Run what is not there yet, draw it, and write the report of all that is there.

    A result that is there, of the same budget, seed and versions, is not computed again: after an interruption
    the same call goes on where it was.
    """
    place = folder(out, budget.name)
    pictures = place / "figures"
    place.mkdir(parents=True, exist_ok=True)  # if that cannot be, better to hear of it before the work
    results = []
    for experiment in experiments:
        path = place / f"{experiment.name}.json"
        result = None if force else _kept(path, budget, seed)
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
        if experiment.draw is not None and (fresh or not (pictures / f"{experiment.name}.png").exists()):
            save_picture(partial(experiment.draw, result), pictures, experiment.name)
        results.append(result)
    sections = [experiment.section(result, pictures) for experiment, result in zip(experiments, results, strict=True)]
    page = place / "report.html"
    write_page(_with_those_there(sections, place, say), page, budget=budget.name)
    return Reproduced(results, sections, page)


def _kept(path: Path, budget: Budget, seed: int) -> Result | None:
    """Return the result that is there, if it is what this run would find."""
    if not path.exists():
        return None
    ensure_replaceable(path, budget.name)
    result = load(path)
    same = (result.budget, result.seed, dict(result.versions)) == (budget.name, seed, versions())
    return result if same else None


def _with_those_there(sections: list[Section], place: Path, say: Callable[[str], None]) -> list[Section]:
    """Add the sections of other experiments whose results are there, all in the paper's order."""
    found = {section.name: section for section in sections}
    for name, experiment in EXPERIMENTS.items():
        if name not in found and (place / f"{name}.json").exists():
            try:
                found[name] = experiment.section(load(place / f"{name}.json"), place / "figures")
            except LookupError:  # rows that it now has, or no longer has
                say(f"{name}: in {place} is from another version, left out of the report (run it again)")
    order = list(EXPERIMENTS)
    return sorted(found.values(), key=lambda s: order.index(s.name) if s.name in order else len(order))
