"""Figure 3, right: XOR₂ over the length of the string, by prototypes that learn to embed it and by FS+MN as it is."""

from __future__ import annotations

from typing import Any

from polythetic.episodes import BooleanTasks
from polythetic.evaluation import Evaluation
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Found
from polythetic.experiments.prototypes import (
    accuracy_row,
    dimensions,
    label,
    learning,
    trained,
    trained_for,
    with_spread,
)
from polythetic.experiments.settings import DESIGNS, VARIANTS, Variant, comparison
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.results import Row, row

LENGTHS = range(2, 21)
REPETITIONS = 10  # |S| = 40

OURS, THEIRS = VARIANTS["FS+MN"], VARIANTS["FS+MN, authors'"]


def _suite(n: int, design: str) -> BooleanTasks:
    return BooleanTasks(n=n, repetitions=REPETITIONS, design=design)


def jobs(budget: Budget, seed: int) -> dict[Any, Job]:
    """Measure FS+MN and train prototypes at every length; on i.i.d. supports only for the shorter training."""
    cells: dict[Any, Job] = {}
    for design, name in DESIGNS.items():
        suites, labels = [_suite(n, design) for n in LENGTHS], [OURS.label, THEIRS.label]
        cells["FS+MN", design] = comparison(f"Figure 3, {name}: FS+MN", suites, labels, budget.tasks, seed)
        stages = budget.train_tasks if design == "balanced" else budget.train_tasks[:1]
        for n, suite in zip(LENGTHS, suites, strict=True):
            what = f"Figure 3, n = {n}, {name}: prototypes"
            cells["PN", n, design] = learning(what, suite, list(dimensions(n)), stages, budget, seed)
    return cells


def rows(found: Found) -> list[Row]:
    """List FS+MN and the prototypes, length by length."""
    made = []
    for place, n in enumerate(LENGTHS):
        for design in DESIGNS:
            suite = _suite(n, design)
            for variant in (OURS, THEIRS):
                accuracy = Evaluation(found["FS+MN", design][variant.label][place].numpy())
                made.append(_selected(variant, suite, accuracy))
            for kind in trained(found["PN", n, design], [suite]):
                line = label(dimensions(n)[kind.embedding], kind.train_tasks)
                made.append(accuracy_row(kind, line, r=REPETITIONS))
    return made


def _selected(variant: Variant, suite: BooleanTasks, found: Evaluation) -> Row:
    cell = {"n": suite.n, "alpha": suite.alpha, "design": suite.design, "embedding": suite.n, "r": REPETITIONS}
    figures: dict[str, Any] = {"stderr": found.stderr, "tasks": len(found.values), "label": variant.label}
    return row(variant.name, cell | variant.setting, "accuracy", found.mean, **figures)


def _curve(rows: list[Row], line: str, design: str = "balanced") -> dict[int, Row]:
    """Return the rows of a line of the picture, by length."""
    found = [e for e in rows if e["metric"] == "accuracy" and e["label"] == line]
    return {e["setting"]["n"]: e for e in found if e["setting"]["design"] == design}


def draw(axes: Any, rows: list[Row]) -> None:
    """Draw accuracy over length: FS+MN on the n bits, and prototypes in 1, n and n² dimensions."""
    looks = dict(zip(trained_for(rows), ("-", "--", ":"), strict=False))
    colours = {"1": style.SKY, "n": style.GREEN, "n²": style.BLUE}
    axes.axhline(50, color="0.75", linewidth=0.8, zorder=0)
    for so_many, look in looks.items():
        for d, colour in colours.items():
            found = _curve(rows, label(d, so_many))
            low, high = ([e["mean"] + side * (e["std"] or 0) for e in found.values()] for side in (-1, 1))
            axes.plot(list(found), [e["mean"] for e in found.values()], color=colour, linewidth=1.4, linestyle=look)
            axes.fill_between(list(found), low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot([], [], color="0.4", linewidth=1.4, linestyle=look, label=f"PN after {so_many:,} tasks")
    for variant, colour, width in ((THEIRS, style.ORANGE, 1.6), (OURS, style.VERMILION, 2.6)):
        found = _curve(rows, variant.label)
        axes.plot(list(found), [e["mean"] for e in found.values()], color=colour, linewidth=width)

    last = max(looks)
    names = (  # beside the lines, where they are apart
        ("FS+MN, d = n, no training", OURS.label, 12, style.VERMILION),
        ("FS+MN, authors' settings", THEIRS.label, 11, style.ORANGE),
        ("PN, d = n²", label("n²", last), 6, colours["n²"]),
        ("PN, d = n", label("n", last), 5, colours["n"]),
        ("PN, d = 1", label("1", last), 3, colours["1"]),
    )
    for name, line, n, colour in names:
        at = (n, _curve(rows, line)[n]["mean"])
        axes.annotate(name, at, xytext=(5, 3), textcoords="offset points", color=colour, fontsize=8, weight="bold")
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.57), frameon=False)
    axes.set(xlim=(2, 20), ylim=(47, 102), xticks=range(2, 21, 2), xlabel="bits n", ylabel="accuracy (%)")
    axes.set_title("right: XOR₂ over the length of the string")


def text(rows: list[Row]) -> str:
    """Say how far each gets."""
    first, *later = trained_for(rows)
    last = max(later, default=first)

    def at(n: int, line: str, design: str = "balanced") -> str:
        entry = _curve(rows, line, design)[n]
        return with_spread({"std": None} | entry)

    iid = {
        n: abs(entry["mean"] - _curve(rows, label("n²", first), "iid")[n]["mean"])
        for n, entry in _curve(rows, label("n²", first)).items()
    }
    return (
        f"Right: accuracy on XOR₂ with supports of {4 * REPETITIONS} rows, over the length n of the string. Prototypes "
        f"behind a trained encoder need a pseudo-variable for each of the n(n − 1)/2 pairs: an embedding of one "
        f"dimension does for n = 2, one of n for n = 3, and with n² dimensions accuracy lasts longer, yet falls to "
        f"{at(10, label('n²', first))} % at n = 10 and {at(20, label('n²', first))} % at n = 20"
        + (f" ({at(10, label('n²', last))} and {at(20, label('n²', last))} % after {last:,} tasks)" if later else "")
        + f". FS+MN, on the n bits as they are and without training, has {at(10, OURS.label)} and {at(20, OURS.label)} % "
        f"there with the library's defaults, {at(10, THEIRS.label)} and {at(20, THEIRS.label)} % with the authors' "
        f"settings. On i.i.d. supports the defaults have {at(10, OURS.label, 'iid')} and {at(20, OURS.label, 'iid')} %, "
        f"the authors' settings {at(10, THEIRS.label, 'iid')} and {at(20, THEIRS.label, 'iid')} %; prototypes in n² "
        f"dimensions change by at most {max(iid.values()):.1f} points (after {first:,} tasks)."
    )
