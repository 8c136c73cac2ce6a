"""Boolean tasks: XOR over α of n bits, the others noise (§2, §5, App. A, App. I)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.episodes.episode import Episode
from polythetic.episodes.functions import evaluate_function, sign_vectors
from polythetic.errors import InputError

Sets: TypeAlias = tuple[tuple[int, ...], ...]
Uniforms: TypeAlias = NDArray[np.float64]

# App. A: the pairs of the first five bits that are active in training, and those kept for testing.
TRAINING_PAIRS: Sets = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 4))
TEST_PAIRS: Sets = ((0, 3), (0, 4), (1, 2), (1, 4), (2, 3))

DRAWS = 1000  # of one support, before it is said to be impossible


@dataclass(frozen=True)
class BooleanTasks:
    """Tasks on n bits (−1 or +1) whose label is a Boolean function of α of them; labels are −1 and +1.

    Which bits are active is drawn for each task, shared by its support and queries, and recorded as
    ``attributes["active"]``. A support without both classes is drawn again.

    Attributes:
        n: number of bits.
        alpha: number of active bits.
        repetitions: r. The balanced design has every variant of the active bits exactly r times.
        design: ``"balanced"``, the paper's, or ``"iid"``, every bit of every row drawn on its own. Balance gives
            active bits away: they alone are perfectly balanced in every support.
        rows: rows of support for the i.i.d. design; r·2^α unless given.
        query_rows: queries; as many as rows of support unless given. In the balanced design a multiple of 2^α.
        p: probability that a noise bit is +1.
        label_noise: probability that the label of a support row is flipped; queries keep the true ones.
        function: a Boolean function's name; XOR for any α, the other fifteen for α = 2.
        active_sets: the sets of active bits to draw from, instead of all: ``TRAINING_PAIRS`` for example.

    >>> episode = BooleanTasks(n=5, alpha=2, repetitions=1).batch(seed=0, start=0, stop=1000)
    >>> episode.support.shape, episode.attributes["active"].shape
    (torch.Size([1000, 4, 5]), torch.Size([1000, 2]))
    """

    n: int
    alpha: int = 2
    repetitions: int = 5
    design: str = "balanced"
    rows: int | None = None
    query_rows: int | None = None
    p: float = 0.5
    label_noise: float = 0.0
    function: str = "xor"
    active_sets: Sets | None = None

    def __post_init__(self) -> None:
        whole_number("n", self.n, least=1)
        whole_number("alpha", self.alpha, least=1, most=self.n, meaning=f"there are {self.n} bits")
        whole_number("repetitions", self.repetitions, least=1)
        if self.design not in ("balanced", "iid"):
            raise InputError("design", repr(self.design), "'balanced' or 'iid'")
        if not 0 <= self.p <= 1:
            raise InputError("p", self.p, "a probability")
        if not 0 <= self.label_noise < 1:
            raise InputError("label_noise", self.label_noise, "a probability below 1")
        self._check_rows()
        if len(set(evaluate_function(self.function, sign_vectors(self.alpha)))) < 2:
            raise InputError("function", repr(self.function), "a function with two classes")
        if self.active_sets is not None and not self.active_sets:
            raise InputError("active_sets", self.active_sets, "at least one set of bits, or None for all")
        for active in self.active_sets or ():
            if len(set(active)) != self.alpha or not set(active) <= set(range(self.n)):
                raise InputError("active_sets", active, f"{self.alpha} different bits of 0 to {self.n - 1}")

    def _check_rows(self) -> None:
        for name, value in (("rows", self.rows), ("query_rows", self.query_rows)):
            if value is None:
                continue
            whole_number(name, value, least=2 if name == "rows" else 1)
            if self.design == "balanced" and (name == "rows" or value % 2**self.alpha):
                raise InputError(
                    name, value, "design='iid', where any number will do; balanced supports have r·2^α rows"
                )

    @property
    def support_size(self) -> int:
        """Rows of support."""
        return self.rows or self.repetitions * 2**self.alpha

    @property
    def query_size(self) -> int:
        """Queries."""
        return self.query_rows or self.support_size

    @property
    def example_shape(self) -> tuple[int, ...]:
        """The shape of an example."""
        return (self.n,)

    @property
    def source(self) -> str:
        """Where its examples come from."""
        return "bits drawn at random"

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        seed = whole_number("seed", seed, least=0, most=2**63 - 1)
        start = whole_number("start", start, least=0)
        numbers = np.arange(start, stop)
        S = self.support_size
        x, y, flips, active = self._draw(seed, numbers, attempt=0)
        for attempt in range(1, DRAWS + 1):
            labels = y[:, :S] * flips
            lacking = np.flatnonzero(np.abs(labels.sum(1, dtype=np.int64)) == S)
            if not len(lacking):
                break
            if attempt == DRAWS:
                raise InputError("rows", S, f"enough rows that {DRAWS} draws give a support with both classes")
            x[lacking], y[lacking], flips[lacking], active[lacking] = self._draw(seed, numbers[lacking], attempt)
        features = torch.from_numpy(x).to(torch.get_default_dtype())
        truth = torch.from_numpy(y).long()
        return Episode(
            support=features[:, :S],
            support_labels=torch.from_numpy(labels).long(),
            query=features[:, S:],
            query_labels=truth[:, S:],
            attributes={"active": torch.from_numpy(active)},
        )

    def _draw(
        self, seed: int, numbers: NDArray[np.int64], attempt: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
        """Draw bits [t, S+Q, n], their labels [t, S+Q], flips of the support's [t, S], active bits [t, α]."""
        S, Q, n, alpha = self.support_size, self.query_size, self.n, self.alpha
        which, order, flip, bits = self._uniforms(seed, numbers, attempt, (n, S + Q, S, (S + Q) * n))

        if self.active_sets is None:
            active = which.argsort(1)[:, :alpha]
        else:
            active = np.array(self.active_sets)[(which[:, 0] * len(self.active_sets)).astype(int)]
        at = np.broadcast_to(active[:, None, :], (len(numbers), S + Q, alpha))

        x = _signs(bits.reshape(-1, S + Q, n) < self.p)
        if self.design == "balanced":
            variants = sign_vectors(alpha)
            shuffled = np.concatenate([order[:, :S].argsort(1), order[:, S:].argsort(1)], 1) % len(variants)
            np.put_along_axis(x, at, variants[shuffled], 2)
        else:
            fair = np.take_along_axis(bits.reshape(-1, S + Q, n), at, 2) < 0.5
            np.put_along_axis(x, at, _signs(fair), 2)
        y = evaluate_function(self.function, np.take_along_axis(x, at, 2))
        return x, y, _signs(flip >= self.label_noise), active

    @staticmethod
    def _uniforms(seed: int, numbers: NDArray[np.int64], attempt: int, sizes: tuple[int, ...]) -> list[Uniforms]:
        """Give each task its own stream of uniform numbers, cut into blocks of the given sizes."""
        total = sum(sizes)
        streams = np.empty((len(numbers), total))
        for row, number in zip(streams, numbers, strict=True):
            generator = np.random.Generator(np.random.Philox(key=np.array([seed, number], dtype=np.uint64)))
            generator.random(attempt * total)
            generator.random(out=row)
        return np.split(streams, np.cumsum(sizes)[:-1], axis=1)


def _signs(bits: NDArray[np.bool_]) -> NDArray[np.int8]:
    return bits.astype(np.int8) * 2 - 1
