"""What the classifiers share: their options, the automatic temperature, class sizes as a prior."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from polythetic.arguments import one_of
from polythetic.attention import Temperature, auto_temperature, check_temperature
from polythetic.grouping import Groups
from polythetic.similarity import similarity_named

# Of the automatic temperature. benchmarks/defaults.py has 12 and 16 ahead by 0.2 and 0.3 points, which is not worth
# probabilities that much surer of themselves.
SHARPNESS = 10.0


def check_options(similarity: str, temperature: Temperature, prior: str) -> None:
    """Refuse options that no classifier has."""
    similarity_named(similarity)
    check_temperature(temperature)
    one_of("prior", prior, ("support", "uniform"))


def log_frequencies(groups: Groups, like: Tensor) -> Float[Tensor, "*tasks 1 K"]:
    """Log of each class's share of the support; −∞ for a class that the task does not have."""
    sizes = groups.sizes.to(like.dtype)
    return (sizes / sizes.sum(-1, keepdim=True)).log()[..., None, :]


def temperature_on(
    support: Tensor, mask: Tensor | None, similarity: str, temperature: Temperature, sharpness: float
) -> float | Tensor:
    """Resolve ``"auto"`` on the support."""
    if temperature != "auto":
        return float(temperature)
    return auto_temperature(support, similarity=similarity, sharpness=sharpness, mask=mask)
