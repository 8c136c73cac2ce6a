"""The paper's theory: why thresholds fail on parities, and attention on irrelevant features.

========================  ===========================================================================
`moments`                 exact mean and variance of the attention classifier's output (§3, App. C)
`printed`                 the same as the paper prints them, with what is wrong in each
`simulation`              the same by drawing supports and queries, with standard errors
`boolean`                 inputs, parities, the Walsh–Hadamard transform, how many functions there are (§1–2)
`threshold`               threshold functions, listed, counted and recognised (§1, §3)
`pseudo_variables`        the products that a threshold classifier needs for XOR_α (§3, Fig. 3)
========================  ===========================================================================
"""

from polythetic.theory.boolean import (
    boolean_inputs,
    count_boolean_functions,
    inverse_walsh_hadamard,
    parity,
    walsh_hadamard,
)
from polythetic.theory.moments import Moments, attention_moments, variation_per_active_feature
from polythetic.theory.printed import printed_moments
from polythetic.theory.pseudo_variables import pseudo_variables, subsets
from polythetic.theory.simulation import Simulation, simulate_attention
from polythetic.theory.threshold import count_threshold_functions, is_threshold, threshold_functions

__all__ = [
    "Moments",
    "Simulation",
    "attention_moments",
    "boolean_inputs",
    "count_boolean_functions",
    "count_threshold_functions",
    "inverse_walsh_hadamard",
    "is_threshold",
    "parity",
    "printed_moments",
    "pseudo_variables",
    "simulate_attention",
    "subsets",
    "threshold_functions",
    "variation_per_active_feature",
    "walsh_hadamard",
]
