import pytest

from polythetic.report.formats import aligned_right, escaped, latex, markdown
from polythetic.report.section import Table

TABLE = Table(
    ["", "n=5, XOR₂", "verdict"], [["FS+MN, R = 0", "99.6 ±0.2", "better, by 1.0"], ["MN_*", "−1.2", "short"]]
)


def test__markdown__cells_with_bars_and_lines__stay_cells():
    made = markdown(Table(["a|b"], [["x\ny"], ["<b>"]]))
    assert made.splitlines() == ["| a\\|b |", "|---|", "| x y |", "| &lt;b> |"]


def test__aligned_right__numbers_with_errors_and_signs__are_numbers():
    assert aligned_right(TABLE) == [False, True, False]
    assert aligned_right(Table(["", "paper"], [["x", ""]])) == [False, False]


def test__latex__of_a_table__has_rules_and_a_caption():
    made = latex(TABLE, "A 5 % caption", "tab:x")
    assert made.isascii()
    assert r"\begin{longtable}{lrl}" in made
    assert r"\caption{A 5 \% caption}\label{tab:x}\\" in made
    assert r"MN\_* & $-$1.2 & short \\" in made
    assert made.count(r"\\") == 4  # the caption, the header and two lines
    assert [made.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]


def test__latex__a_line_that_opens_with_a_bracket__is_not_an_argument_of_the_line_before():
    assert "{}[0, 2]" in latex(Table(["x"], [["[0, 2]"]]), "", "tab:x")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("σ² = r(e² + e⁻²)^α", r"$\sigma$$^{2}$ = r(e$^{2}$ + e$^{-2}$)\textasciicircum{}$\alpha$"),
        ("p̄", r"$\bar{p}$"),
        ("“a” – b…", r"``a'' -- b\dots{}"),
        (r"a\b{c}", r"a\textbackslash{}b\{c\}"),
        ("日", "?"),
    ],
)
def test__escaped__signs__are_latexs(words, expected):
    assert escaped(words) == expected
