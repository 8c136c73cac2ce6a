"""Tables 8 and 9: how the support and the queries of a polythetic MNIST task are made up (App. J)."""

from __future__ import annotations

from functools import partial

from polythetic.experiments.budgets import Budget
from polythetic.experiments.digit_tasks import METHOD, Choice
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report.digit_groups import groups_of
from polythetic.report.section import Table
from polythetic.results import Result, Row, row

# The paper's examples are of such a task: "green ones and blue threes".
CHOICE = Choice(
    "clean",
    lambda first, second: second == first + 4,
    "the first whose active attributes are a digit and its own colour",
)

# The paper's: examples, groups and examples a group of each class, and all examples.
PAPER = {"support": (48, 2, 24, 96), "query": (16, 2, 8, 32)}
METRICS = ("examples", "groups", "examples per group")
ALL = "all"


def jobs(number: int, side: str, budget: Budget, seed: int) -> Cells:
    """Count one task."""
    return {"task": Job(f"Table {number}", counts, {"side": side, "seed": seed})}


def counts(side: str, seed: int) -> list[Row]:
    """Count the examples and groups of each class of a generated task."""
    found = CHOICE.find(seed)
    groups = groups_of(found.episode, side)
    shared = {"dataset": CHOICE.version, "task": found.number, "source": found.source, "side": side}
    rows = []
    for label in sorted({group.label for group in groups}):
        members = [group for group in groups if group.label == label]
        examples = sum(len(group.rows) for group in members)
        setting = {**shared, "class": label, "traits": [group.words for group in members]}
        figures = (examples, len(members), examples / len(members))
        rows += [
            row(METHOD, setting, metric, value, tasks=1, paper=paper)
            for metric, value, paper in zip(METRICS, figures, PAPER[side][:3], strict=True)
        ]
    everything = sum(len(group.rows) for group in groups)
    rows.append(row(METHOD, {**shared, "class": ALL}, "examples", everything, tasks=1, paper=PAPER[side][3]))
    return rows


def text(what: str, result: Result) -> list[str]:
    """Say which task was counted, and whether the paper's are made up alike."""
    setting = result.rows[0]["setting"]
    different = [entry for entry in result.rows if entry["mean"] != entry["paper"]]
    verdict = "All counts are the paper's." if not different else f"{len(different)} counts differ from the paper's."
    return [
        f"{what}, counted in a generated task: task {setting['task']} of seed {result.seed} in the "
        f"{setting['dataset']} version, {CHOICE.words}. {verdict} The last column says what the groups of this task "
        f"have in common; every task draws its own. The digits: {setting['source']}."
    ]


def table(symbol: str, rows: list[Row]) -> Table:
    """Lay the counts out as the paper does."""
    at = {(entry["setting"]["class"], entry["metric"]): entry for entry in rows}
    labels = [label for label, metric in at if metric == METRICS[-1]]
    body = [
        [
            f"class {label}",
            *(f"{at[label, metric]['mean']:g}" for metric in METRICS),
            " and ".join(at[label, METRICS[0]]["setting"]["traits"]),
        ]
        for label in labels
    ]
    return Table([f"|{symbol}| = {at[ALL, 'examples']['mean']}", *METRICS, "groups of this task"], body)


def _experiment(number: int, side: str, symbol: str, what: str, asked: str) -> Experiment:
    return Experiment(
        name=f"table{number}",
        title=f"{what} of a polythetic MNIST task",
        where=f"Table {number}, App. J",
        question=f"How {asked} of a polythetic MNIST task made up, and is ours made up as the paper's?",
        jobs=partial(jobs, number, side),
        text=partial(text, what),
        table=partial(table, symbol),
    )


TABLE8 = _experiment(8, "support", "S", "The support", "is the support")
TABLE9 = _experiment(9, "query", "Q", "The queries", "are the queries")
