"""Pictures of one's own: from folders to features."""

from polythetic.pictures.features import ENCODERS, encoder_for_pictures, features_of
from polythetic.pictures.folders import Pictures, asked_pictures, labelled_pictures

__all__ = [
    "ENCODERS",
    "Pictures",
    "asked_pictures",
    "encoder_for_pictures",
    "features_of",
    "labelled_pictures",
]
