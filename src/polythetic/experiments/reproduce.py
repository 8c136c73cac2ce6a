"""The main job: run experiments, keep each result as soon as it is there, then draw and report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from polythetic.errors import InputError, MissingDataError, PolytheticError
from polythetic.experiments import EXPERIMENTS
from polythetic.experiments.budgets import BUDGETS, Budget
from polythetic.experiments.experiment import Experiment
from polythetic.experiments.from_weights import BUDGET as FROM_WEIGHTS_BUDGET
from polythetic.experiments.from_weights import OPTION, as_made, from_weights, with_weights
from polythetic.jobs import Crew, Job, Nothing, Overwriting, Store
from polythetic.jobs.carrying_out import still_to_do
from polythetic.progress import Progress, Silent
from polythetic.report.page import write_report
from polythetic.report.pictures import save_picture
from polythetic.report.section import Section
from polythetic.results import FROM_WEIGHTS, Result, ensure_replaceable, folder, load, save, versions


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
    force: bool = False,
    lenient: bool = False,
    runs: Path = Path("runs"),
    crew: Crew | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Reproduced:
    """Run what is not there yet, draw it, and write the report of all that is there.

    A result that is there, of the same budget, seed and versions, is not computed again; of one that is not, the jobs
    that are done are not done again: after an interruption the same call goes on where it was. If ``lenient``, an
    experiment whose data are not on this machine is left out, and that is said.
    """
    progress = progress or Silent()
    if budget.shipped:
        taken = from_weights if budget.name == FROM_WEIGHTS else with_weights
        experiments = [taken(experiment) for experiment in experiments]
    place = folder(out, budget.name)
    pictures = place / "figures"
    place.mkdir(parents=True, exist_ok=True)  # if that cannot be, better to hear of it before the work
    again = force or budget.shipped  # other weights may have come; what they made is kept part by part
    there = {e.name: None if again else _kept(place / f"{e.name}.json", budget, seed) for e in experiments}
    store = Overwriting(runs / "cells") if force else Store(runs / "cells")

    def ahead(*chosen: Experiment) -> list[Job]:
        return still_to_do(
            [job for e in chosen if there[e.name] is None for job in e.jobs(budget, seed).values()], store
        )

    progress.start(f"{budget.name} budget", sum(job.steps for job in ahead(*experiments)))
    shown = []
    for experiment in experiments:
        result = there[experiment.name]
        fresh = result is None
        if result is not None:
            say(f"{experiment.name}: already in {place}, kept (--force runs it again)")
        else:
            started = time.monotonic()
            try:
                rows = experiment.run(budget, seed, store=store, crew=crew, progress=progress, folder=runs)
            except MissingDataError as error:
                if not lenient:
                    raise
                say(f"{experiment.name}: left out. {error}")
                progress.advance(sum(job.steps for job in ahead(experiment)))
                continue
            way = [] if budget.name == FROM_WEIGHTS else [f"--budget {budget.name}"]
            way += [OPTION] if budget.shipped else []
            command = f"polythetic reproduce {experiment.name} {' '.join(way)} --seed {seed}"
            result = Result(experiment.name, budget.name, command, seed, rows)
            save(result, out, force=force)
            say(f"{experiment.name}: done in {time.monotonic() - started:.0f} s")
        if experiment.draw is not None and (fresh or not (pictures / f"{experiment.name}.png").exists()):
            save_picture(partial(experiment.draw, result), pictures, experiment.name)
        shown.append((experiment, result))
    sections = [_section(experiment, result, pictures) for experiment, result in shown]
    page = write_report(_with_those_there(sections, place, say), place, budget=budget.name)
    return Reproduced([result for _, result in shown], sections, page)


def report(
    experiments: Sequence[Experiment], *, out: Path, say: Callable[[str], None] = lambda line: None
) -> Reproduced:
    """Draw the results of experiments that are in a folder, and write the report of all that is there; run nothing."""
    there = {e.name: load(out / f"{e.name}.json") for e in experiments if (out / f"{e.name}.json").exists()}
    if not there:
        raise InputError("--out", out, "a folder of results, such as `polythetic reproduce` makes, to report of")
    for experiment in experiments:
        result = there.get(experiment.name)
        if result is not None and experiment.draw is not None and result.budget != FROM_WEIGHTS:
            try:
                save_picture(partial(experiment.draw, result), out / "figures", experiment.name)
            except (LookupError, MissingDataError) as error:  # rows of another version; pictures of data not here
                say(f"{experiment.name}: not drawn. {error}")
    sections = _with_those_there([], out, say)
    page = write_report(sections, out, budget=next(iter(there.values())).budget)
    return Reproduced(list(there.values()), [section for section in sections if section.name in there], page)


def _section(experiment: Experiment, result: Result, pictures: Path) -> Section:
    costs = _costs(experiment, result)
    return experiment.section(result, pictures)._replace(budget=result.budget, costs=costs)


def _costs(experiment: Experiment, result: Result) -> dict[str, float]:
    """Return what a result's jobs cost by their own account, under keys that the same job has in other experiments.

    Weights that stood in for a training have cost that training; with few tasks, nothing was to be trained at all.
    """
    budget = FROM_WEIGHTS_BUDGET if result.budget == FROM_WEIGHTS else BUDGETS[result.budget]
    if result.budget != FROM_WEIGHTS:
        experiment = EXPERIMENTS.get(experiment.name, experiment)
    try:
        jobs = experiment.jobs(budget, result.seed).values()
    except PolytheticError:  # data or weights that are not here
        return {}
    return {job.key: job.cost for job in still_to_do(jobs, Nothing())}


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
                result = load(place / f"{name}.json")
                found[name] = _section(as_made(experiment, result), result, place / "figures")
            except LookupError:  # rows that it now has, or no longer has
                say(f"{name}: in {place} is from another version, left out of the report (run it again)")
    order = list(EXPERIMENTS)
    return sorted(found.values(), key=lambda s: order.index(s.name) if s.name in order else len(order))
