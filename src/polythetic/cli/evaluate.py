"""``polythetic evaluate``: how good is what a run has learned, with its own head or with another?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polythetic.cli.options import Data, Json
from polythetic.cli.printing import print_json

SPLITS = ("evaluation", "validation", "training", "fitting", "test", "all")  # of which each dataset has some


def evaluate(
    run: Annotated[
        Path,
        typer.Argument(
            help="The folder of a run, as `polythetic train` makes it, or the name of weights that come along."
        ),
    ],
    suite: Annotated[str | None, typer.Argument(help="Tasks to evaluate on; the run's own suite unless given.")] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Another head on the same encoder: NN, FS+NN, …; the run's own unless given."),
    ] = None,
    tasks: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 1000,
    split: Annotated[
        str, typer.Option(help="evaluation, validation, training, fitting; of MNIST also test; all.")
    ] = "evaluation",
    variant: Annotated[str, typer.Option(help="ours or authors, for other heads.")] = "ours",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="An option of the suite: polythetic=1, ways=5, …")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the tasks, which are never those of training.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """Measure accuracy on tasks of SUITE; every method on the same tasks.

    With --json: {"run", "suite", "split", "seed", "tasks", "accuracy": {method: {mean, stderr, std}}}; of one task,
    stderr and std are null.
    """
    from polythetic import speed
    from polythetic.arguments import one_of
    from polythetic.cli.options import check_seed, suite_options
    from polythetic.episodes.suites import SUITES
    from polythetic.learners.heads import VARIANTS

    if suite is not None:
        one_of("suite", suite, SUITES)
    check_seed(seed)
    one_of("--split", split, SPLITS)
    one_of("--variant", variant, VARIANTS)
    speed.on()

    from polythetic.episodes.suites import suite_named
    from polythetic.evaluation import evaluate as measure
    from polythetic.learners import EpisodicLearner, Learner
    from polythetic.learners.heads import head_named
    from polythetic.progress import on_terminal
    from polythetic.runs import EVALUATION_SEED, encoder_of
    from polythetic.weights import opened

    settings, load = opened(run)
    name = suite or settings.suite
    inherited = settings.options if name == settings.suite else {}
    chosen = suite_named(name, split=split, data=data, options={**inherited, **suite_options(set_ or [])})
    learner = load(chosen)
    learners: dict[str, Learner] = {} if method else {settings.method: learner}
    for other in method or []:
        learners[other] = EpisodicLearner(encoder_of(learner), head_named(other, variant)).eval()
    with on_terminal() as progress:
        found = measure(learners, chosen, tasks=tasks, seed=EVALUATION_SEED + seed, batch_size=1, progress=progress)
    if json:
        accuracy = {m: {"mean": e.mean, "stderr": e.stderr, "std": e.std} for m, e in found.items()}
        facts = {"run": str(run), "suite": name, "split": split, "seed": seed, "tasks": tasks, "accuracy": accuracy}
        print_json(facts)
    else:
        for m, e in found.items():
            typer.echo(f"{m:8} {e.mean:6.2f} ± {e.stderr:.2f} %   {tasks:,} tasks of {name}, {split}")
