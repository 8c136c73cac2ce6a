from re import findall

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


@pytest.mark.parametrize("cell", ["> 1,600", "not run", "✓", "–", "≤ 5", "75.9 ±1.3"])
def test__aligned_right__what_stands_in_for_a_figure__is_to_the_right_too(cell):
    assert aligned_right(Table(["", "rows"], [["R", "400"], ["x", cell]])) == [False, True]
    assert aligned_right(Table(["", "rows"], [["R", "MN 400"], ["x", cell]])) == [False, False]


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


def test__latex__a_wide_table__goes_on_in_another_with_the_same_first_column():
    wide = Table(["", *(f"column {k}" for k in range(12))], [["FS+MN", *["100.0 ±0.0"] * 12]])
    made = latex(wide, "Wide", "tab:x")
    assert made.count(r"\begin{longtable}{lrrrrrr}") == made.count(r"\midrule") == 2
    assert made.count("FS+MN") == 2
    assert made.count("100.0") == 12
    assert made.count(r"\label{tab:x}") == made.count(r"\caption{(continued)}") == 1


def test__latex__a_table_of_words__breaks_them_and_fits_the_line():
    made = latex(Table(["", "ours"], [["word " * 50, "1.0"]]), "Words", "tab:x")
    shares = [float(share) for share in findall(r"p\{(.*?)\\linewidth\}", made)]
    assert len(shares) == 2
    assert 0.9 < sum(shares) + 2 * 8 / 483 <= 1
    assert r"\raggedleft\arraybackslash" in made


def test__latex__a_cell_wider_than_the_line__is_left_as_it_is():
    assert r"\begin{longtable}{lr}" in latex(Table(["", "a"], [["x", "1" * 200]]), "", "tab:x")
