"""Prototypes of every attribute at once: the same pictures, encoded once, labelled anew by each of their attributes."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from polythetic.encoders.encoder import Encoder
from polythetic.episodes.episode import Episode
from polythetic.errors import InputError
from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.learners.learner import negative_log_likelihood


class RelabelledPrototypes(EpisodicLearner):
    """A prototypical network whose loss is the mean over the attributes that are recorded of the pictures.

    An attribute's values are its classes. Queries with a value that the support lacks are not asked. In use it is a
    prototypical network like any other.

    >>> from polythetic.datasets import mnist
    >>> from polythetic.encoders import encoder_for
    >>> from polythetic.episodes.pictures import PictureTasks
    >>> tasks = PictureTasks(mnist("training", source="embedded"), support=16, queries=8)
    >>> loss, log_p = RelabelledPrototypes(encoder_for(tasks.example_shape)).loss(tasks.batch(seed=0, start=0, stop=1))
    >>> loss.shape, log_p.shape[:2]
    (torch.Size([]), torch.Size([1, 8]))
    """

    def __init__(self, encoder: Encoder):
        super().__init__(encoder, head_named("PN"))

    def loss(self, episode: Episode) -> tuple[Tensor, Tensor]:
        """Return the mean loss of all attributes, and the log-probabilities by the episode's own labels."""
        if "support_traits" not in episode.attributes:
            raise InputError("episode", "attributes without traits", "pictures that have some: of the suite pictures")
        support, query = self.encoder(episode.support, episode.query, episode.support_mask, episode.query_mask)
        masks = {"mask": episode.support_mask, "query_mask": episode.query_mask}
        seen, asked = episode.attributes["support_traits"], episode.attributes["query_traits"]
        losses = []
        for attribute in range(seen.shape[-1]):
            classes, labels = seen[..., attribute], asked[..., attribute]
            known = (labels[..., :, None] == classes[..., None, :]).any(-1)
            if episode.query_mask is not None:
                known = known & episode.query_mask
            task = replace(episode, support_labels=classes, query_labels=labels, query_mask=known)
            losses.append(negative_log_likelihood(self.method(support, classes, query, **masks), task))
        return torch.stack(losses).mean(), self.method(support, episode.support_labels, query, **masks)
