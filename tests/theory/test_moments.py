"""The closed form against enumeration, simulation, decimals of 80 digits, and the paper's own formulas."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polythetic.errors import InputError
from polythetic.theory import (
    attention_moments,
    printed_moments,
    simulate_attention,
    variation_per_active_feature,
)

FIXED = settings(derandomize=True, database=None, deadline=None, max_examples=60)

SIMILARITIES = {
    "dot": lambda q, x: sum(a * b for a, b in zip(q, x, strict=True)),
    "cosine": lambda q, x: sum(a * b for a, b in zip(q, x, strict=True)) / len(q),
    "euclidean": lambda q, x: -sum((a - b) ** 2 for a, b in zip(q, x, strict=True)),
    "laplace": lambda q, x: -sum(abs(a - b) for a, b in zip(q, x, strict=True)),
}
VALUES = {"signs": (-1, 1), "bits": (0, 1)}
CASES = [
    ("dot", "signs"),
    ("cosine", "signs"),
    ("euclidean", "signs"),
    ("euclidean", "bits"),
    ("laplace", "signs"),
    ("laplace", "bits"),
]


def enumerated(alpha, beta, r, p, similarity, tau, encoding):
    """Mean and variance over every draw of the irrelevant features, of the support's rows and the query's."""
    low, high = VALUES[encoding]
    variants = [v for v in itertools.product((low, high), repeat=alpha) for _ in range(r)]
    labels = [(-1) ** v.count(low) for v in variants]
    query = (high,) * alpha
    first = second = total = 0.0
    for bits in itertools.product((low, high), repeat=beta * (1 + len(variants))):
        chance = p ** bits.count(high) * (1 - p) ** bits.count(low)
        noise = [bits[i * beta : (i + 1) * beta] for i in range(1 + len(variants))]
        output = sum(
            label * math.exp(tau * SIMILARITIES[similarity](query + noise[0], variant + own))
            for label, variant, own in zip(labels, variants, noise[1:], strict=True)
        )
        total, first, second = total + chance, first + chance * output, second + chance * output**2
    assert total == pytest.approx(1)
    return first, second - first**2


@pytest.mark.parametrize(("similarity", "encoding"), CASES)
@pytest.mark.parametrize(
    ("alpha", "beta", "r", "p", "tau"),
    [(1, 1, 1, 0.8, 1.0), (1, 1, 2, 0.3, 0.7), (2, 1, 1, 0.6, 1.3), (1, 2, 2, 0.8, 1.0), (2, 2, 1, 0.3, 0.5)],
)
def test__attention_moments__every_draw_enumerated__equal(similarity, encoding, alpha, beta, r, p, tau):
    mean, variance = enumerated(alpha, beta, r, p, similarity, tau, encoding)
    exact = attention_moments(alpha, beta, repetitions=r, p=p, similarity=similarity, tau=tau, encoding=encoding)
    assert exact.mean == pytest.approx(mean, rel=1e-11)
    assert exact.variance == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize(("similarity", "encoding"), CASES)
@pytest.mark.parametrize("p", [0.5, 0.8, 0.3])
@pytest.mark.parametrize(("alpha", "beta", "r"), [(1, 2, 1), (2, 3, 5), (3, 4, 2)])
def test__attention_moments__simulated__within_four_standard_errors(similarity, encoding, p, alpha, beta, r):
    setting = {"repetitions": r, "p": p, "similarity": similarity, "encoding": encoding, "tau": 0.8}
    exact = attention_moments(alpha, beta, **setting)
    drawn = simulate_attention(alpha, beta, **setting, trials=15_000, seed=11)
    assert abs(drawn.mean - exact.mean) < 4 * drawn.mean_stderr
    assert abs(drawn.variance - exact.variance) < 4 * drawn.variance_stderr
    assert drawn.variance_stderr < 0.1 * exact.variance  # the bound above says something


def test__moments__papers_variance__simulation_takes_the_exact_and_refuses_the_printed():
    setting = {"repetitions": 5, "p": 0.8}
    exact, printed = attention_moments(2, 3, **setting), printed_moments(2, 3, **setting)
    assert round(exact.variance) == 27_917
    assert round(printed.variance) == 20_492
    drawn = simulate_attention(2, 3, **setting, trials=60_000, seed=3)
    assert abs(drawn.variance - exact.variance) < 4 * drawn.variance_stderr
    assert abs(drawn.variance - printed.variance) > 20 * drawn.variance_stderr


def test__misclassification__few_large_terms__normal_approximation_is_far_below_the_simulated_rate():
    drawn = simulate_attention(4, 3, repetitions=2, trials=40_000, seed=5)
    assert attention_moments(4, 3, repetitions=2).misclassification == pytest.approx(0.328, abs=5e-4)
    assert drawn.misclassification == pytest.approx(0.4373, abs=4 * drawn.misclassification_stderr)
    assert drawn.misclassification_stderr < 0.003


@pytest.mark.parametrize("p", [0.3, 0.5])
@pytest.mark.parametrize(("tau", "beta"), [(1.0, 400), (1e-9, 50), (300.0, 3)])
def test__attention_moments__extreme_sizes__equal_decimals_of_80_digits(p, tau, beta):
    alpha, r = 3, 7
    exact = attention_moments(alpha, beta, repetitions=r, p=p, tau=tau)
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 80, 10**6, -(10**6)
        u, P = Decimal(tau).exp(), Decimal(p)
        c1, c2 = P * u + (1 - P) / u, (1 - P) * u + P / u
        c, m2 = P * c1 + (1 - P) * c2, P * c1**2 + (1 - P) * c2**2
        d = (P**2 + (1 - P) ** 2) * u**2 + 2 * P * (1 - P) / u**2
        mean = r * (u - 1 / u) ** alpha * c**beta
        own = r * (u**2 + u**-2) ** alpha * (d**beta - m2**beta)
        shared = r**2 * (u - 1 / u) ** (2 * alpha) * (m2**beta - c ** (2 * beta))
        log_mean, log_variance = mean.ln(), (own + shared).ln()
    assert exact.log_mean == pytest.approx(float(log_mean), rel=1e-13, abs=1e-9)
    assert exact.log_variance == pytest.approx(float(log_variance), rel=1e-13, abs=1e-9)


def test__moments__beyond_floats__ratios_stay_numbers():
    far = attention_moments(4, 3000, p=0.6)
    assert far.mean == far.variance == math.inf
    assert far.misclassification == pytest.approx(0.5)
    assert math.isfinite(far.log_mean)
    near = attention_moments(4, 3, similarity="euclidean", tau=500.0)
    assert near.variation == pytest.approx(attention_moments(4, 3, tau=1000.0).variation)
    assert 0 < near.misclassification < 0.5


@pytest.mark.parametrize(("beta", "p"), [(0, 0.3), (5, 0.0), (5, 1.0)])
def test__moments__nothing_varies__variance_and_misclassification_are_zero(beta, p):
    still = attention_moments(3, beta, repetitions=2, p=p)
    assert (still.variance, still.variation, still.misclassification) == (0.0, 0.0, 0.0)
    assert still.mean == pytest.approx(2 * (math.e - 1 / math.e) ** 3 * math.e**beta)


@FIXED
@given(st.integers(1, 6), st.integers(1, 12), st.integers(1, 20), st.floats(0.01, 0.99), st.floats(0.05, 3))
def test__attention_moments__same_slope__same_variation(alpha, beta, r, p, tau):
    n = alpha + beta
    variations = [
        attention_moments(alpha, beta, repetitions=r, p=p, similarity=name, tau=tau * scale, encoding=code).variation
        for name, code, scale in [
            ("dot", "signs", 1),
            ("cosine", "signs", n),
            ("euclidean", "signs", 1 / 2),
            ("euclidean", "bits", 2),
            ("laplace", "signs", 1),
            ("laplace", "bits", 2),
        ]
    ]
    np.testing.assert_allclose(variations, variations[0], rtol=1e-9)
    swapped = attention_moments(alpha, beta, repetitions=r, p=1 - p, tau=tau)
    assert swapped.variation == pytest.approx(variations[0], rel=1e-9)


@FIXED
@given(st.integers(1, 8), st.integers(1, 30), st.integers(1, 50), st.floats(0.05, 0.45))
def test__printed_moments__main_text__mean_right_variance_off_towards_the_side_that_r_says(alpha, beta, r, p):
    exact = attention_moments(alpha, beta, repetitions=r, p=p)
    printed = printed_moments(alpha, beta, repetitions=r, p=p)
    assert printed.log_mean == pytest.approx(exact.log_mean, rel=1e-12)
    assert (printed.log_variance < exact.log_variance) == (r > variation_per_active_feature() ** (2 * alpha))


@FIXED
@given(st.integers(1, 8), st.integers(1, 30), st.integers(1, 50), st.sampled_from([0.0, 0.5, 1.0]))
def test__printed_moments__main_text_at_half_or_certainty__exact(alpha, beta, r, p):
    exact = attention_moments(alpha, beta, repetitions=r, p=p)
    printed = printed_moments(alpha, beta, repetitions=r, p=p)
    assert printed.log_mean == pytest.approx(exact.log_mean, rel=1e-12)
    assert printed.log_variance == pytest.approx(exact.log_variance, rel=1e-12)


def test__variation__at_half__is_equation_6():
    alpha, beta, r, e = 3, 4, 5, math.e
    c, d = (e + 1 / e) / 2, (e**2 + e**-2) / 2
    expected = variation_per_active_feature() ** alpha * math.sqrt(((d / c**2) ** beta - 1) / r)
    assert attention_moments(alpha, beta, repetitions=r).variation == pytest.approx(expected)
    assert variation_per_active_feature() == pytest.approx(math.sqrt(e**2 + e**-2) / (e - 1 / e))


@pytest.mark.parametrize("tau", [1e-3, 0.5, 2.0])
def test__variation_per_active_feature__one_more_active_feature__multiplies_the_variation(tau):
    more, fewer = attention_moments(5, 3, tau=tau), attention_moments(4, 3, tau=tau)
    assert more.variation / fewer.variation == pytest.approx(variation_per_active_feature(tau))


@pytest.mark.parametrize(
    ("similarity", "mean", "variance"),
    [  # App. C and C.1 by hand, at α=2, β=1, r=3, p=1 (p̄ = 1) and p=½ for the variance
        ("dot", 3 * math.exp(2) * (math.e - 1 / math.e) ** 2, (math.exp(2) + math.exp(-2)) ** 2),
        ("cosine", 3 * math.exp(2) * (math.exp(0.5) - math.exp(-0.5)) ** 2, (math.e + 1 / math.e) ** 2),
        ("euclidean", 3 * (math.e - 1 / math.e) ** 2, math.exp(-4) * (math.exp(2) + math.exp(-2)) ** 2),
        ("laplace", 3 * (math.e - 1 / math.e) ** 2, math.exp(-4) * (math.exp(2) + math.exp(-2)) ** 2),
    ],
)
def test__printed_moments__appendix__is_what_it_prints(similarity, mean, variance):
    setting = {"repetitions": 3, "similarity": similarity, "source": "appendix"}
    gap = math.cosh(2) - math.cosh(1) ** 2
    assert printed_moments(2, 1, p=1.0, **setting).mean == pytest.approx(mean)
    assert printed_moments(2, 1, **setting).variance == pytest.approx(3 * gap * variance)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 0}, "alpha = 0: expected a whole number of at least 1"),
        ({"beta": -1}, "beta = -1: expected a whole number of at least 0"),
        ({"repetitions": 0}, "repetitions = 0: expected a whole number of at least 1"),
        ({"p": 1.5}, "p = 1.5: expected a probability"),
        ({"p": math.nan}, "p = nan: expected a probability"),
        ({"tau": 0.0}, "tau = 0.0: expected a finite number above 0"),
        ({"tau": math.inf}, "tau = inf: expected a finite number above 0"),
        ({"similarity": "l2"}, "similarity = l2: expected one of cosine, dot, euclidean, laplace"),
        ({"encoding": "ternary"}, "encoding = ternary: expected one of bits, signs"),
        ({"encoding": "bits"}, "encoding = bits: expected signs with dot"),
        ({"similarity": "cosine", "encoding": "bits"}, "encoding = bits: expected signs with cosine"),
    ],
)
@pytest.mark.parametrize("function", [attention_moments, simulate_attention])
def test__attention__bad_argument__named_with_its_value(function, arguments, message):
    with pytest.raises(InputError) as caught:
        function(**{"alpha": 2, "beta": 3, **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize(("similarity", "source"), [("cosine", "text"), ("dot", "errata"), ("l2", "appendix")])
def test__printed_moments__not_printed__says_what_is(similarity, source):
    with pytest.raises(InputError, match=f"{similarity}, {source}.*cosine in the appendix"):
        printed_moments(2, 3, similarity=similarity, source=source)
