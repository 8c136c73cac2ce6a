"""Table 3, Omniglot: learners of characters are put to other characters, and to alphabets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import signature
from typing import Any, NamedTuple

from polythetic.evaluation import Evaluation, Repeated
from polythetic.experiments import background
from polythetic.experiments.alphabets import REPEATED, repeated
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.learned import gathered, measuring, training
from polythetic.experiments.scored import accuracy_row, duel_row
from polythetic.experiments.table3_layout import draw, table
from polythetic.experiments.table3_lines import KINDS, PAPER, Line, Tasks, lines_on, unselected_on
from polythetic.experiments.table3_words import text
from polythetic.jobs import Job
from polythetic.learners import MAML
from polythetic.learners.heads import VARIANTS
from polythetic.results import Row, row
from polythetic.runs import RunSettings

# How MAML adapts: as was chosen on validation data, and as the authors do, which is the default of its class. In all
# else the two are alike.
MAML_SETTINGS: dict[str, dict[str, Any]] = {"ours": {"rate": 0.1}, "authors": {}}

# Who is compared with whom: what the paper says in words, then selection with less of it, and with none.
DUELS = (
    ("FS+MN", "PN"),
    ("FS+MN", "MN"),
    ("FS+MN", "IMP"),
    ("FS+MN", "MAML"),
    ("FS+MN*", "MN*"),
    ("FS+MN*", "PN"),
    ("FS+NN*", "PN"),
    ("FS+MN*", "IMP"),
    ("FS+NN*", "IMP"),
    ("FS+NN*", "NN*"),
    ("FS+MN*", "FS+MN*, R = 0"),
    ("FS+MN*", unselected_on("PN")),
    ("FS+MN", unselected_on("FS+MN")),
    *(("R+MN*", other) for other in PAPER),
    ("R+MN*", unselected_on("PN")),
    ("R+NN*", "NN*"),
)


class Cell(NamedTuple):
    """Learners of a kind on tasks of a kind."""

    kind: Tasks
    variant: str
    trained: str
    train_tasks: int

    @property
    def setting(self) -> dict[str, Any]:
        """What the rows of the cell have in common."""
        return {**self.kind._asdict(), "variant": self.variant}


COUNTED = Cell(KINDS[-1], "", "none", 0)
HELD_OUT = "PN, some background alphabets held out"


def jobs(budget: Budget, seed: int) -> Cells:
    """Train on characters; put every learner, and other heads on its encoder, to tasks of every kind."""
    cells: dict[Any, Job] = {}
    for variant, trained, runs in _learners(budget):
        heads = {line.label: line.head for line in lines_on(trained, variant)}
        enough = budget
        if trained == "MAML":
            enough = budget.adapting
        for kind in KINDS:
            cell = Cell(kind, variant, trained, runs[0].schedule.tasks)
            cells |= measuring(cell, runs, *kind.suite, heads, enough, seed)
    count = Job(
        "alphabets that repeat",
        repeated,
        {"tasks": budget.picture_tasks, "seed": seed},
        cost=budget.picture_tasks / 200,
    )
    return {**cells, (COUNTED, 0, 0): count, **_held_out(budget, seed)}


def _held_out(budget: Budget, seed: int) -> Cells:
    job = background.job(budget, seed)
    return {(Cell(KINDS[0], "ours", HELD_OUT, job.arguments["settings"].schedule.tasks), 0, 0): job}


def _learners(budget: Budget) -> Iterator[tuple[str, str, list[RunSettings]]]:
    """Yield variant, name and runs: of prototypes several that are alike but for chance, of the others one."""

    def runs(method: str, kind: str, variant: str = "ours", seeds: int = 1, **options: Any) -> list[RunSettings]:
        tasks, suite = budget.lessons[kind].tasks_of(method), "omniglot-characters"
        return [
            training(suite, method, tasks=tasks, variant=variant, seed=seed, method_options=options)
            for seed in range(seeds)
        ]

    yield "ours", "PN", runs("PN", "omniglot", seeds=budget.lessons["omniglot"].seeds)
    for method in ("MN", "FS+MN", "IMP"):
        yield "ours", method, runs(method, "omniglot")
    for variant, options in MAML_SETTINGS.items():
        yield variant, "MAML", runs("MAML", "maml", **options)
    for method in ("PN", "MN", "FS+MN"):
        yield "authors", method, runs(method, "authors", variant="authors")


def rows(found: Found) -> list[Row]:
    """Make a row of each line in each column, those of the paper first; then what repeated alphabets do, and duels."""
    measured: dict[Cell, dict[str, Repeated]] = gathered(found)
    share = measured.pop(COUNTED)[REPEATED].by_task
    main: list[Row] = []
    beside: list[Row] = []
    apart: list[Row] = []
    for cell in [cell for cell in measured if cell.trained == HELD_OUT]:  # from weights, there is none
        apart += background.rows(measured.pop(cell), cell.train_tasks)
    columns: dict[tuple[Tasks, str], dict[str, Repeated]] = {}
    for cell, heads in measured.items():
        columns.setdefault((cell.kind, cell.variant), {}).update(heads)
        for line in lines_on(cell.trained, cell.variant):
            entry = _accuracy(cell, line, heads[line.label])
            (main if line.label in PAPER else beside).append(entry)
            if cell.kind == COUNTED.kind and line.label in PAPER:
                apart += _apart(entry, heads[line.label], share)
    order = {variant: number for number, variant in enumerate(VARIANTS)}
    main.sort(key=lambda entry: (order[entry["setting"]["variant"]], list(PAPER).index(entry["label"])))
    counted = row("tasks", COUNTED.kind._asdict(), "repeated alphabets", share.mean, stderr=share.stderr)
    counted |= {"tasks": len(share.values), "label": "repeated alphabets"}
    return [*main, *beside, counted, *apart, *_duels(columns)]


def _accuracy(cell: Cell, line: Line, accuracy: Repeated) -> Row:
    setting = cell.setting | line.setting
    if cell.trained == "MAML":
        usual = {name: parameter.default for name, parameter in signature(MAML).parameters.items()}
        setting |= {name: (usual | MAML_SETTINGS[cell.variant])[name] for name in ("rate", "steps", "test_steps")}
    paper = PAPER[line.label][cell.kind.tasks] if line.label in PAPER else (None, None)
    return accuracy_row(line.method, setting, accuracy, cell.train_tasks, paper) | {"label": line.label}


def _apart(entry: Row, accuracy: Repeated, share: Evaluation) -> Iterator[Row]:
    """Yield the accuracy on tasks in which an alphabet repeats, and on the others, if there are any."""
    repeats = share.values[: accuracy.values.shape[1]] > 0
    for metric, which in (("accuracy, repeated alphabets", repeats), ("accuracy, distinct alphabets", ~repeats)):
        if which.any():
            made = accuracy_row(
                entry["method"], entry["setting"], Repeated(accuracy.values[:, which]), entry["train_tasks"]
            )
            yield made | {"metric": metric, "label": entry["label"]}


def _duels(columns: Mapping[tuple[Tasks, str], Mapping[str, Repeated]]) -> Iterator[Row]:
    """Yield who does better task by task, on the tasks that both were put to, with the paper's difference."""
    for (kind, variant), at in columns.items():
        for first, second in DUELS:
            if first in at and second in at:
                both = min(at[name].values.shape[1] for name in (first, second))
                one, other = ((name, Repeated(at[name].values[:, :both])) for name in (first, second))
                duel = duel_row({**kind._asdict(), "variant": variant}, one, other)
                printed = [PAPER[name][kind.tasks][0] for name in (first, second) if name in PAPER]
                yield duel | {"paper_difference": round(printed[0] - printed[1], 1) if len(printed) == 2 else None}


EXPERIMENT = Experiment(
    name="table3",
    title="Omniglot: characters, and alphabets of them",
    where="Table 3, §5",
    question="Can a learner that has only told characters apart tell alphabets apart, each of which is many characters?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="After ±, and as bars, the standard error.",
)
