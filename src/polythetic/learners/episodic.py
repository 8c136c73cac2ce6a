"""An encoder and a method: encode the task, then classify without parameters (PN, MN, FS+MN, …)."""

from __future__ import annotations

import math

from jaxtyping import Float
from torch import Tensor, nn

from polythetic.encoders.encoder import Encoder
from polythetic.episodes.episode import Episode
from polythetic.learners.learner import Learner, negative_log_likelihood
from polythetic.pipeline import Method


class EpisodicLearner(Learner):
    """Learns the encoder end to end, through a method that has nothing to learn, or little.

    Args:
        encoder: what learns.
        method: what classifies its features.
        clip: the loss is of probabilities clipped to [clip, 1 − clip], as the authors have it on digits (0.05), which
            passes no gradient where a query is classified with much confidence, rightly or wrongly; 0 for the exact.

    >>> import torch
    >>> from polythetic.classifiers import method_named
    >>> from polythetic.encoders import Pointwise
    >>> learner = EpisodicLearner(Pointwise(nn.Linear(3, 2), example_dims=1), method_named("PN"))
    >>> episode = Episode(torch.eye(3), torch.tensor([0, 0, 1]), torch.eye(3), torch.tensor([0, 0, 1]))
    >>> learner(episode).shape
    torch.Size([3, 2])
    """

    def __init__(self, encoder: Encoder, method: Method, *, clip: float = 0.0):
        super().__init__()
        self.clip = clip
        self.encoder = encoder
        self.method = method
        if isinstance(method.classifier, nn.Module):  # one with something to learn
            self.head = method.classifier

    def forward(self, episode: Episode) -> Float[Tensor, "*tasks q K"]:
        """Encode, then classify."""
        mask, query_mask = episode.support_mask, episode.query_mask
        support, query = self.encoder(episode.support, episode.query, mask, query_mask)
        return self.method(support, episode.support_labels, query, mask=mask, query_mask=query_mask)

    def loss(self, episode: Episode) -> tuple[Tensor, Tensor]:
        """Return the loss, of clipped probabilities if so asked, and the log-probabilities."""
        log_p = self(episode)
        within = log_p.clamp(math.log(self.clip), math.log1p(-self.clip)) if self.clip else log_p
        return negative_log_likelihood(within, episode), log_p
