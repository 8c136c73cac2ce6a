"""Which figures the README and docs/results.md show, and how they are laid out; ``readme_table`` writes them."""

from __future__ import annotations

from typing import Any, NamedTuple

from polythetic.report.numbers import xor

AS_AUTHORS = "authors' settings"

Setting = dict[str, Any]


class Line(NamedTuple):
    """A line of a table: the rows of a method with a setting, or what the paper prints beside them."""

    cells: tuple[str, ...]  # that it begins with
    method: str
    setting: Setting
    figure: str = "mean"  # or "paper"


class Layout(NamedTuple):
    """How the headline rows of an experiment are laid out."""

    experiment: str
    words: str
    header: tuple[str, ...]  # of the cells that lines begin with
    columns: dict[str, Setting]
    lines: list[Line]
    lessons: str = ""  # what learners learned from, counted
    metric: str = "accuracy"


def three(method: str, shown: str = "") -> list[Line]:
    """Return the lines of a method: the paper's, ours, and that with the authors' settings."""
    shown, ours, authors = shown or method, {"variant": "ours"}, {"variant": "authors"}
    return [
        Line((f"{shown}, paper",), method, ours, "paper"),
        Line((f"{shown}, ours",), method, ours),
        Line((f"{shown}, authors' settings",), method, authors),
    ]


DEFAULT = {"variant": "ours", "R": 2, "dispersion": "std"}
AUTHORS = {"variant": "authors", "statistics": "joint"}
BALANCED, IID = {"design": "balanced"}, {"design": "iid"}

TABLE1 = Layout(
    "table1",
    "Accuracy (%) on binary strings, XOR over α of n bits",
    ("", "supports"),
    {f"n={n} {xor(alpha)}": {"n": n, "alpha": alpha} for n in (5, 10) for alpha in (2, 3, 4)},
    [
        Line(("FS+MN, paper", "balanced"), "FS+MN", AUTHORS | BALANCED, "paper"),
        Line(("FS+MN, authors' settings", "balanced"), "FS+MN", AUTHORS | BALANCED),
        Line(("FS+MN, ours, mean absolute deviation", "balanced"), "FS+MN", DEFAULT | BALANCED | {"dispersion": "mad"}),
        Line(("FS+MN, ours (default)", "balanced"), "FS+MN", DEFAULT | BALANCED),
        Line(("R+MN, ours", "balanced"), "R+MN", {"variant": "ours"} | BALANCED),
        Line(("FS+MN, authors' settings", "i.i.d."), "FS+MN", AUTHORS | IID),
        Line(("FS+MN, ours (default)", "i.i.d."), "FS+MN", DEFAULT | IID),
        Line(("R+MN, ours", "i.i.d."), "R+MN", {"variant": "ours"} | IID),
        Line(("MN, ours (no selection)", "i.i.d."), "MN", {"variant": "ours"} | IID),
    ],
)
TABLE2 = Layout(
    "table2",
    "Accuracy (%) on polythetic MNIST, learned from monothetic tasks",
    ("",),
    {
        f"{dataset}, {kind}": {"dataset": dataset, "tasks": kind}
        for dataset in ("clean", "colourless", "full")
        for kind in ("monothetic", "polythetic")
    },
    [
        *(line for method in ("PN", "MN", "FS+MN") for line in three(method)),
        *(Line((f"{method} on PN's encoder, ours",), f"{method}*", {"variant": "ours"}) for method in ("R+MN", "D+MN")),
    ],
    lessons="training tasks (paper: 10,000; full 100,000)",
)
TABLE3 = Layout(
    "table3",
    "Accuracy (%) on Omniglot, learned from characters; a star: on PN's encoder",
    ("",),
    {
        "characters": {"tasks": "characters"},
        "alphabets": {"tasks": "alphabets", "replacement": False},
        "alphabets, with replacement": {"tasks": "alphabets", "replacement": True},
    },
    [
        line
        for method in ("PN", "MN", "FS+MN", "IMP", "MAML", "MN*", "NN*", "FS+MN*", "FS+NN*")
        for line in (three(method)[:2] if method == "IMP" else three(method))  # the authors' IMP is not public
    ]
    + [Line((f"{method}, ours",), method, {"variant": "ours"}) for method in ("R+MN*", "R+NN*")],
    lessons="training tasks (paper: 10,000)",
)
TABLE4 = Layout(
    "table4",
    "Accuracy (%) on {dataset}, features of a frozen network, C categories of G classes each",
    ("",),
    {f"C={C}, G={G}": {"C": C, "G": G} for G in (5, 10) for C in (2, 4, 8)},
    [*three("FS+MN"), *three("MN"), *three("PN")[:2], Line(("R+MN, ours",), "R+MN", {"variant": "ours"})],
)
APPENDIX_G = Layout(
    "appendix-g",
    "Accuracy (%) on full polythetic MNIST, after learning to name all digits and colours",
    ("",),
    {
        f"{read_out}, {kind}": {"read_out": read_out, "tasks": kind}
        for read_out in ("softmax", "sigmoid")
        for kind in ("monothetic", "polythetic")
    },
    [*three("PN"), *three("MN"), Line(("FS+MN, ours",), "FS+MN", {"variant": "ours", "R": 2})],
)
TRAINING_TIME = Layout(
    "training-time",
    "Accuracy (%) on full polythetic MNIST after more and more monothetic tasks, and after passes of "
    "pictures relabelled by every attribute, which uses more labels",
    ("", "evaluated on"),
    {f"{tasks:,} tasks": {"encoder": "PN", "train_tasks": tasks} for tasks in (312, 1250, 5000)}
    | {f"{passes} passes": {"encoder": "RELABELLED-PN", "train_tasks": passes} for passes in (50, 200, 800)},
    [
        Line((head, kind), head, {"variant": "ours", "tasks": kind})
        for kind in ("monothetic", "polythetic")
        for head in ("PN", "R+MN*", "D+MN*")
    ],
)
SIZES = [
    (20, 2, 40),
    (20, 3, 40),
    (20, 4, 100),
    (20, 5, 250),
    (100, 2, 100),
    (100, 3, 250),
    (100, 4, 640),
    (100, 5, 1600),
]
DISCOVERY = Layout(
    "discovery",
    "Active features (%) found among the α best-scored of n fair bits, whose XOR is the class, in so many rows × n, "
    "drawn i.i.d.; not run where fewer rows were enough (✓), were of no use, or there are too many sets to search (–)",
    ("",),
    {f"α={alpha}, {rows:,} × {n}": {"alpha": alpha, "n": n, "rows": rows} for n, alpha, rows in SIZES},
    [
        Line((shown,), method, {"features": "binary", "noise": 0} | further)
        for shown, method, further in (
            ("R, ours", "R", {}),
            ("Algorithm 1", "FS", {}),
            ("MultiSURF", "MultiSURF", {"scores": "signed"}),
            ("ReliefF, 10 neighbours", "ReliefF", {"scores": "signed", "neighbours": 10}),
            ("NCFS", "NCFS", {}),
            ("random forest", "random forest", {}),
            ("gradient boosting", "gradient boosting", {}),
            ("exhaustive search", "exhaustive", {}),
        )
    ],
    metric="active share",
)
LAYOUTS = (TABLE1, TABLE2, TABLE3, TABLE4, APPENDIX_G, TRAINING_TIME, DISCOVERY)
FRONT = (TABLE1, TABLE2, DISCOVERY)  # on the front page
DATASETS = {"stand-in": "a stand-in for tieredImageNet", "tieredImageNet": "tieredImageNet"}
