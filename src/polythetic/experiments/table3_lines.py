"""The lines of Table 3: what is put on which encoder, with the decomposition that tells selection from similarity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from polythetic.experiments.learned import OWN
from polythetic.learners.heads import SIMILARITIES

# Mean and standard error that the paper prints.
PAPER = {
    "PN": {"characters": (98.6, 0.0), "alphabets": (83.4, 0.3)},
    "MN": {"characters": (91.1, 0.1), "alphabets": (78.4, 0.3)},
    "FS+MN": {"characters": (96.2, 0.0), "alphabets": (94.2, 0.2)},
    "IMP": {"characters": (98.6, 0.0), "alphabets": (96.0, 0.2)},
    "MAML": {"characters": (94.0, 0.1), "alphabets": (89.9, 0.3)},
    "MN*": {"characters": (97.9, 0.1), "alphabets": (81.3, 0.3)},
    "NN*": {"characters": (98.3, 0.0), "alphabets": (95.7, 0.3)},
    "FS+MN*": {"characters": (98.1, 0.0), "alphabets": (96.0, 0.2)},
    "FS+NN*": {"characters": (98.3, 0.0), "alphabets": (96.0, 0.2)},
}
OURS = ("R+MN*", "R+NN*")  # which the paper has not: refined scores, the same whatever the settings of the others


class Tasks(NamedTuple):
    """What learners are put to."""

    tasks: str
    replacement: bool = False

    @property
    def suite(self) -> tuple[str, dict[str, Any]]:
        """The name of the suite and its options."""
        return f"omniglot-{self.tasks}", {} if self.tasks == "characters" else {"replacement": self.replacement}


KINDS = (Tasks("characters"), Tasks("alphabets"), Tasks("alphabets", replacement=True))

ROUNDS = (0, 2, 5)
USUAL_ROUNDS = 2
USUAL_SIMILARITY = {"ours": "euclidean", "authors": "cosine"}  # of MN; that of FS+MN is Euclidean


class Line(NamedTuple):
    """A head on an encoder.

    Attributes:
        method: its name in results.
        setting: what tells it from others of that name.
        head: the arguments of ``head_named``, or ``OWN``.
        label: its name for people; that of the method alone if it is what the paper's line stands beside.
    """

    method: str
    setting: dict[str, Any]
    head: dict[str, Any] | None
    label: str


def lines_on(trained: str, variant: str) -> list[Line]:
    """List what is put on the encoder of a learner; its own head comes first.

    >>> [line.label for line in lines_on("PN", "ours")][:5]
    ['PN', 'NN*', 'FS+NN*, R = 0', 'FS+NN*', 'FS+NN*, R = 5']
    """
    if trained == "PN":
        own, nn = ({"name": name, "variant": variant} for name in ("PN", "NN"))
        starred = [Line("NN*", {"encoder": "PN"}, nn, "NN*")]
        for R in ROUNDS:
            selected = {"name": "FS+NN", "variant": variant, "repeats": R}
            starred.append(Line("FS+NN*", {"encoder": "PN", "R": R}, selected, label("FS+NN*", R=R)))
        for name in OURS:
            refined = {"name": name.removesuffix("*"), "variant": variant}
            starred.append(Line(name, {"encoder": "PN"}, refined, name))
        return [Line("PN", {}, own, "PN"), *starred, *_decomposition("PN", variant)]
    if trained == "FS+MN":
        return sorted(_decomposition("FS+MN", variant), key=lambda line: line.label != "FS+MN")
    if trained == "MN":
        similarity = USUAL_SIMILARITY[variant]
        return [Line("MN", {"similarity": similarity}, {"name": "MN", "variant": variant}, "MN")]
    return [Line(trained.partition(",")[0], {}, OWN, trained)]


def _decomposition(encoder: str, variant: str) -> Iterator[Line]:
    """Yield attention alone and after selection, by similarity and rounds; of FS+MN's encoder its own head is one."""
    for similarity in SIMILARITIES:
        plain, *selected = decomposed(encoder, variant, similarity)
        setting = {"encoder": encoder, "similarity": similarity}
        given = {"variant": variant, "similarity": similarity}
        yield Line(_plain(encoder), setting, {"name": "MN", **given}, plain)
        for R, name in zip(ROUNDS, selected, strict=True):
            yield Line(_selected(encoder), setting | {"R": R}, {"name": "FS+MN", **given, "repeats": R}, name)
        name = unselected_on(encoder, similarity)
        yield Line(name, setting, {"name": "FS+MN", **given, "selects": False}, name)


def decomposed(encoder: str, variant: str, similarity: str) -> list[str]:
    """Name the lines that differ in the rounds of self-attention alone, after attention with no selection at all.

    >>> decomposed("PN", "ours", "euclidean")
    ['MN*', 'FS+MN*, R = 0', 'FS+MN*', 'FS+MN*, R = 5']
    """
    plain = None if similarity == USUAL_SIMILARITY[variant] else similarity
    selected = None if similarity == "euclidean" else similarity
    return [
        label(_plain(encoder), similarity=plain),
        *(label(_selected(encoder), similarity=selected, R=R) for R in ROUNDS),
    ]


def _plain(encoder: str) -> str:
    return "MN*" if encoder == "PN" else "MN, FS+MN's encoder"


def _selected(encoder: str) -> str:
    return "FS+MN*" if encoder == "PN" else "FS+MN"


def unselected_on(encoder: str, similarity: str = "euclidean") -> str:
    """Name what FS+MN is without the selection, on an encoder: attention on standardised features.

    >>> unselected_on("PN"), unselected_on("FS+MN", "cosine")
    ('MN*, standardised', 'MN, cosine, standardised')
    """
    unusual = "" if similarity == "euclidean" else f", {similarity}"
    return f"{'MN*' if encoder == 'PN' else 'MN'}{unusual}, standardised"


def label(method: str, *, similarity: str | None = None, R: int = USUAL_ROUNDS) -> str:
    """Name a line by what is unusual about it.

    >>> label("FS+MN*"), label("FS+MN*", similarity="cosine", R=5)
    ('FS+MN*', 'FS+MN*, cosine, R = 5')
    """
    unusual = [similarity] if similarity else []
    return ", ".join([method, *unusual, *([f"R = {R}"] if R != USUAL_ROUNDS else [])])
