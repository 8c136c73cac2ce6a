"""Make the weights that come with polythetic, and their cards, from the finished runs of Tables 2 and 3.

python -m polythetic.weights.make

Weights that are there, and whose runs are not, stay as they are; their cards are written anew, since the accuracies on
them are those of the tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from safetensors.torch import load, save

from polythetic.checkpoints import last_checkpoint
from polythetic.datasets.catalogue import entry_named
from polythetic.errors import PolytheticError
from polythetic.experiments import BUDGETS, EXPERIMENTS, Budget
from polythetic.experiments.from_weights import OPTION
from polythetic.experiments.learned import folder_name
from polythetic.experiments.table3 import MAML_SETTINGS
from polythetic.files import write_atomically
from polythetic.jobs.learning import train
from polythetic.results import Result, Row
from polythetic.results import load as load_result
from polythetic.runs import RunSettings, read_settings
from polythetic.weights import shipped

TABLES = ("table2", "table3")
OURS = ("ours", 0, "training")  # variant, seed and split of what is shipped
TRAINED_ON = {
    "mnist": "MNIST, digits 0 to 49,999 of the training file",
    "omniglot": "Omniglot, the 30 background alphabets, every character in four orientations",
}


def name_of(settings: RunSettings) -> str:
    """Name weights by the tasks that they were learned from, the method and its options.

    >>> from polythetic.experiments.learned import training
    >>> name_of(training("mnist-colourless", "FS+MN", tasks=1000))
    'mnist-colourless-fs-mn'
    """
    options = [f"{option}-{value}" for option, value in settings.method_options.items()]
    return "-".join([settings.suite, settings.method.lower().replace("+", "-"), *options])


def wanted(budget: Budget) -> Iterator[tuple[str, RunSettings]]:
    """Yield the learners to ship, with the table they are of: the first of each kind with our settings."""
    found: dict[str, tuple[str, RunSettings]] = {}
    for table in TABLES:
        for job in EXPERIMENTS[table].jobs(budget, 0).values():
            for need in job.needs:
                settings = need.arguments["settings"] if need.work is train else None
                if settings is not None and (settings.variant, settings.schedule.seed, settings.split) == OURS:
                    found.setdefault(need.key, (table, settings))
    yield from found.values()


def make(budget: Budget, runs: Path, results: Path, out: Path, say: Callable[[str], None] = print) -> int:
    """Write the weights of every finished run that the tables use, and a card each; return how many there are."""
    made = 0
    there = {given.name: given.settings for given in shipped(out)} if out.exists() else {}
    for table, settings in wanted(budget):
        name = name_of(settings)
        try:
            content = _learned(settings, runs / folder_name(settings))
        except PolytheticError as error:
            if there.get(name) != settings:
                say(f"{name}: left out. {error}")
                continue
            content = (out / f"{name}.safetensors").read_bytes()
        facts = card(name, settings, budget, content, results / f"{table}.json")
        write_atomically(out / f"{name}.safetensors", content)
        write_atomically(out / f"{name}.json", (json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())
        say(f"{name}: {len(content) / 2**20:.2f} MB")
        made += 1
    return made


def _learned(settings: RunSettings, folder: Path) -> bytes:
    """Return the weights of a finished run, in half of the bytes: accuracies differ by a query in thousands."""
    if read_settings(folder) != settings:
        raise PolytheticError(f"{folder} is of another run")
    checkpoint = last_checkpoint(folder)
    if checkpoint is None or checkpoint.step < settings.schedule.steps:
        raise PolytheticError(f"{folder} is not finished")
    return save({part: tensor.half().contiguous() for part, tensor in checkpoint.part("weights").items()})


def card(name: str, settings: RunSettings, budget: Budget, content: bytes, table: Path) -> dict[str, Any]:
    """Say all that is to be known of some weights."""
    schedule, data = settings.schedule, settings.suite.partition("-")[0]
    result = load_result(table) if table.exists() else None
    found = accuracies(settings, result.rows) if result else []
    return {
        "name": name,
        "data": TRAINED_ON[data],
        "licence": f"of the data: {entry_named(data).licence}; of the weights: MIT",
        "budget": f"{schedule.tasks:,} training tasks, seed {schedule.seed} ({budget.name} budget)",
        "command": command(settings, table.stem, budget),
        "accuracy": found,
        "accuracy_of": _accuracy_of(result if found else None, table),
        "parameters": sum(prod(tensor.shape) for tensor in load(content).values()),
        "precision": "half, to be used in single",
        "sha256": sha256(content).hexdigest(),
        "settings": json.loads(settings.as_json()),
    }


def _accuracy_of(result: Result | None, table: Path) -> str:
    if result is None:
        return f"nothing yet: {table.stem} has not been run with it"
    file = f"{table.parent.name}/{table.name}"
    if OPTION in result.command.split():
        return f"{file}, with these very weights"
    return (
        f"{file}, in single precision; where there are several learners, alike but for chance, their mean: these "
        "weights are of the first"
    )


def command(settings: RunSettings, table: str, budget: Budget) -> str:
    """Write the command that trains the learner; one with options of its method is trained with its table."""
    if settings.method_options:
        return f"polythetic reproduce {table} --budget {budget.name}"
    schedule = settings.schedule
    words = ["polythetic train", settings.suite, settings.method, f"--tasks {schedule.tasks}"]
    words += ["--decay"] if schedule.decay else []
    words += [f"--set {option}={value}" for option, value in settings.options.items()]
    return " ".join([*words, f"--split {settings.split}", f"--seed {schedule.seed}"])


def accuracies(settings: RunSettings, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Pick the rows of the learner, with its own head, in every column that the paper has."""
    dataset = settings.suite.removeprefix("mnist-") if settings.suite.startswith("mnist-") else None
    of_maml = {str(options): variant for variant, options in MAML_SETTINGS.items()}
    variant = of_maml[str(settings.method_options)] if settings.method == "MAML" else settings.variant
    found = []
    for entry in rows:
        setting = entry["setting"]
        which = (entry["metric"], entry.get("label"), setting.get("variant"), setting.get("dataset"))
        lessons = entry.get("train_tasks", settings.schedule.tasks)  # the table may be of another training
        if which == ("accuracy", settings.method, variant, dataset) and lessons == settings.schedule.tasks:
            told = {key: setting[key] for key in ("dataset", "tasks", "replacement") if key in setting}
            figures = {key: entry[key] for key in ("mean", "stderr", "paper")}
            found.append(told | figures | {"evaluated_on": entry["tasks"], "learners": entry["train_seeds"]})
    return found


def main() -> None:
    """Run it as a command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--budget", default="standard", choices=list(BUDGETS))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = parser.parse_args()
    made = make(BUDGETS[given.budget], given.runs, given.results, given.out)
    total = sum(path.stat().st_size for path in given.out.glob("*.safetensors")) / 2**20
    print(f"{made} made; {total:.1f} MB of weights in {given.out}")


if __name__ == "__main__":
    main()
