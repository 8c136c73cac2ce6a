"""``polythetic train``: learn an encoder from tasks, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polythetic.cli.options import Json
from polythetic.cli.places import ensure_folder
from polythetic.cli.printing import print_json


def train(
    suite: Annotated[
        str, typer.Argument(help="As in `polythetic data list`: mnist-colourless, omniglot-characters, …")
    ],
    method: Annotated[str, typer.Argument(help="PN, MN, FS+MN, IMP or MAML; RELABELLED-PN on pictures.")],
    tasks: Annotated[int | None, typer.Option(min=1, help="Training tasks; the budget's unless given.")] = None,
    budget: Annotated[str, typer.Option(help="quick, standard or paper: how many tasks.")] = "standard",
    tasks_per_step: Annotated[int, typer.Option(min=1, help="Tasks whose gradients are averaged.")] = 1,
    learning_rate: Annotated[float, typer.Option(help="Adam's.")] = 1e-3,
    decay: Annotated[bool, typer.Option("--decay", help="Let the learning rate fall to zero by the end.")] = False,
    polythetic: Annotated[float | None, typer.Option(min=0, max=1, help="MNIST: share of polythetic tasks.")] = None,
    variant: Annotated[str, typer.Option(help="ours or authors: temperatures, statistics and loss.")] = "ours",
    encoder: Annotated[str, typer.Option(help="auto, identity, mlp, conv4 or resnet12.")] = "auto",
    embedding: Annotated[int, typer.Option(min=1, help="Features that the encoder gives.")] = 64,
    split: Annotated[str, typer.Option(help="fitting: validation data held out; training: with them.")] = "fitting",
    set_: Annotated[list[str] | None, typer.Option("--set", help="An option of the suite: ways=5, shots=1, …")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the weights at the start, and the tasks.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/SUITE-METHOD-SEED unless given.")] = None,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="Steps between checkpoints.")] = 100,
    validate_every: Annotated[int, typer.Option(min=1, help="Steps between validations.")] = 500,
    validation_tasks: Annotated[int, typer.Option(min=0, help="Tasks a validation; 0 for none.")] = 50,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write for TensorBoard too (an extra).")] = False,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of data; $POLYTHETIC_DATA unless given.")
    ] = None,
    json: Json = False,
) -> None:
    """Train METHOD on tasks of SUITE. Stop it as you like: the same command goes on where it was, to the bit.

    Started by torchrun, several processes share the tasks of each step:
    torchrun --nproc-per-node 2 -m polythetic train … --tasks-per-step 2

    With --json: {"run": its folder, "settings", "metrics": the last}.
    """
    from polythetic import speed
    from polythetic.arguments import one_of
    from polythetic.cli.options import check_seed, suite_options
    from polythetic.episodes.suites import SUITES
    from polythetic.learners.heads import VARIANTS
    from polythetic.results import BUDGETS

    one_of("suite", suite, SUITES)
    one_of("--variant", variant, VARIANTS)
    one_of("--budget", budget, BUDGETS)
    one_of("--split", split, ("fitting", "training"))
    check_seed(seed)
    folder = out or Path("runs") / f"{suite}-{method.lower().replace('+', '-')}-{seed}"
    ensure_folder("--out", folder)
    speed.on()

    from polythetic.distributed import team as joined
    from polythetic.progress import on_terminal, silently
    from polythetic.runs import RunSettings, run
    from polythetic.training import Schedule

    options = suite_options(set_ or []) | ({} if polythetic is None else {"polythetic": polythetic})
    schedule = Schedule(
        tasks=tasks or _lesson(suite, method, budget),
        tasks_per_step=tasks_per_step,
        learning_rate=learning_rate,
        decay=decay,
        seed=seed,
        checkpoint_every=checkpoint_every,
        validate_every=validate_every,
    )
    settings = RunSettings(suite, method, schedule, variant, split, encoder, embedding, options)
    with joined() as team, on_terminal() if team.leads else silently() as progress:
        run(
            settings,
            folder,
            data=data,
            validation_tasks=validation_tasks,
            tensorboard=tensorboard,
            team=team,
            progress=progress,
            say=lambda line: typer.echo(line, err=True) if team.leads else None,
        )
        if not team.leads:
            return
    last = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    if json:
        from json import loads

        print_json({"run": str(folder), "settings": loads(settings.as_json()), "metrics": loads(last)})
    else:
        typer.echo(f"{folder}: trained on {schedule.tasks:,} tasks; {last}")


def _lesson(suite: str, method: str, budget: str) -> int:
    """Look up how many tasks the tables of the budget train such a learner on."""
    from polythetic.experiments.budgets import BUDGETS

    chosen = BUDGETS[budget]
    if suite == "boolean":
        return max(chosen.train_tasks)
    kind = "maml" if method == "MAML" else suite.removeprefix("mnist-")
    return chosen.lessons[kind if kind in chosen.lessons else "omniglot"].tasks_of(method)
