"""SimpleShot: nearest class mean among centred features of length 1.

Wang, Chao, Weinberger and van der Maaten, SimpleShot: Revisiting Nearest-Neighbor Classification for Few-Shot
Learning, 2019 (CL2N).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import normalize

from polythetic.classifiers.prototype import Prototypes


@dataclass(frozen=True)
class SimpleShot:
    """Prototypes of features from which the support's mean is taken and which are scaled to length 1.

    Its authors take the mean over the classes that the encoder was trained on; an encoder that comes as it is has none
    to show, and the support's serves.

    >>> support = torch.tensor([[9.0, 10.0], [9.0, 12.0], [11.0, 10.0], [11.0, 12.0]])
    >>> SimpleShot()(support, torch.tensor([0, 0, 1, 1]), torch.tensor([[9.9, 11.0], [99.0, 11.0]])).argmax(-1)
    tensor([0, 1])
    """

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks q K"]:
        """Return log-probabilities, a column a class in ascending order of label."""
        rows = torch.ones_like(support[..., :1]) if mask is None else mask[..., None].to(support.dtype)
        centre = (support * rows).sum(-2, keepdim=True) / rows.sum(-2, keepdim=True).clamp(min=1)
        return Prototypes()(normalize(support - centre, dim=-1), labels, normalize(query - centre, dim=-1), mask)
