"""What Table 2 and Figure 8 share: learners on polythetic MNIST, and the heads put on their encoders."""

from __future__ import annotations

from polythetic.experiments.learned import OWN, Heads
from polythetic.report import style

DATASETS = ("clean", "colourless", "full")
METHODS = ("PN", "MN", "FS+MN")  # that are trained, in the paper
KINDS = {"monothetic": 0.0, "polythetic": 1.0}  # of tasks, and the share of polythetic ones that makes them
STARRED = ("MN", "FS+MN", "NN", "FS+NN", "R+MN", "R+NN", "D+MN")  # put on the encoder that prototypes have learned
UNSELECTED, UNSELECTED_STARRED = "MN, standardised", "MN*, standardised"  # as FS+MN, but that nothing is selected
# FS+MN evaluated with the statistics of the other variant: ours uses the support's alone, the authors' the queries' too.
OTHER_STATISTICS = {"ours": "FS+MN, queries' statistics too", "authors": "FS+MN, support's statistics alone"}

LOOKS = {"PN": (style.GREEN, "s"), "MN": (style.ORANGE, "D"), "FS+MN": (style.BLUE, "o")}


def heads_on(trained: str, variant: str) -> Heads:
    """List the heads to put on the encoder of a learner: its own, and others.

    >>> list(heads_on("FS+MN", "ours"))
    ['FS+MN', 'MN, standardised']
    """
    off = {"name": "FS+MN", "variant": variant, "selects": False}
    if trained == "PN":
        starred = {f"{name}*": {"name": name, "variant": variant} for name in STARRED}
        return {trained: OWN, **starred, UNSELECTED_STARRED: off}
    return {trained: OWN, UNSELECTED: off} if trained == "FS+MN" else {trained: OWN}
