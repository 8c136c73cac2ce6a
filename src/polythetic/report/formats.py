r"""Tables for others' documents: Markdown and LaTeX.

The LaTeX is plain ASCII, fits a line of 17 cm, and needs the packages that its first line names:
``\input{tables/table1}``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from polythetic.report.fitting import parts
from polythetic.report.section import Table

PACKAGES = r"% needs \usepackage{array,booktabs,longtable}"
SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
}
# What the report writes beyond ASCII: what LaTeX has in its mathematics, and what it has in its text.
SIGNS = {
    "α": r"\alpha", "β": r"\beta", "δ": r"\delta", "ε": r"\epsilon", "λ": r"\lambda", "μ": r"\mu", "ρ": r"\rho",
    "σ": r"\sigma", "τ": r"\tau", "Σ": r"\Sigma", "±": r"\pm", "×": r"\times", "−": "-", "·": r"\cdot", "√": r"\surd",
    "≤": r"\le", "≥": r"\ge", "≈": r"\approx", "≠": r"\neq", "∞": r"\infty", "∈": r"\in", "∼": r"\sim", "→": r"\to",
    "≫": r"\gg", "‖": r"\|", "⊙": r"\odot", "✓": r"\surd", "✗": r"\times", "°": r"^\circ", "ℝ": r"\mathbf{R}",
    "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34",
}  # fmt: skip
WORDS = {
    "–": "--", "—": "---", "…": r"\dots{}", "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~", "ñ": r"\~n",
    "ò": r"\`o", "§": r"\S{}",
}  # fmt: skip
NO_FIGURE = ("", "–", "✓", "×", "not run")  # what a column of figures has where there is none
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ", "0123456789-n")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
TOKENS = re.compile(
    r"(?P<barred>\w)\u0304|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ]+)|(?P<lowered>[₀₁₂₃₄₅₆₇₈₉]+)|(?P<letter>.)", re.DOTALL
)


def markdown(table: Table) -> str:
    r"""Write a table as Markdown, the numbers to the right.

    >>> print(markdown(Table(["", "paper"], [["a | b", "75.9"]])))
    |  | paper |
    |---|---:|
    | a \| b | 75.9 |
    """
    rule = ["---:" if right else "---" for right in aligned_right(table)]
    lines = [_line(table.header), f"|{'|'.join(rule)}|", *map(_line, table.body)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    escaped = (" ".join(cell.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def aligned_right(table: Table) -> list[bool]:
    """Say of each column whether it holds numbers, or what stands where a number would.

    >>> aligned_right(Table(["", "ours", "verdict"], [["MN", "+1.2", "better"], ["NN", "–", "short"]]))
    [False, True, False]
    >>> aligned_right(Table(["", "rows"], [["R", "400"], ["Relief", "> 1,600"], ["search", "not run"], ["all", "✓"]]))
    [False, True]
    """
    numeric = re.compile(r"([<>≤≥] ?)?[-+−±]?\d[\d.,±+/() −-]*%?$")
    columns = [[line[i].strip() for line in table.body] for i in range(len(table.header))]
    kept = [[cell for cell in cells if cell not in NO_FIGURE] for cells in columns]
    return [bool(cells) and all(map(numeric.match, cells)) for cells in kept]


def latex(table: Table, caption: str, label: str, widths: Sequence[float] | None = None) -> str:
    r"""Write a table as LaTeX that goes on over pages if it is long, and in further tables if it is wide.

    Args:
        table: the table.
        caption: in plain words; everything is escaped.
        label: for ``\ref``.
        widths: of the columns, in shares of the line, where cells are sentences.

    >>> print(latex(Table(["", "α"], [["FS+MN_1", "75 %"]]), "50 % & more", "tab:x"))
    \begingroup\footnotesize\setlength{\tabcolsep}{4pt}
    \begin{longtable}{lr}
    \caption{50 \% \& more}\label{tab:x}\\
    \toprule
     & $\alpha$ \\
    \midrule
    \endhead
    FS+MN\_1 & 75 \% \\
    \bottomrule
    \end{longtable}
    \endgroup
    """
    made = [(table, widths)] if widths else list(parts(table, aligned_right(table)))
    titles = [rf"{escaped(caption)}}}\label{{{label}", *["(continued)"] * (len(made) - 1)]
    return "\n\n".join(_longtable(part, title, shares) for (part, shares), title in zip(made, titles, strict=True))


def _longtable(table: Table, title: str, widths: Sequence[float] | None) -> str:
    right = aligned_right(table)
    if widths is None:
        columns = "".join("r" if r else "l" for r in right)
    else:
        columns = "".join(
            rf">{{\ragged{'left' if r else 'right'}\arraybackslash}}p{{{width:.3f}\linewidth}}"
            for r, width in zip(right, widths, strict=True)
        )
    body = "\n".join(f"{_cells(line)} \\\\" for line in table.body)
    return "\n".join(
        [
            r"\begingroup\footnotesize\setlength{\tabcolsep}{4pt}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"\caption{{{title}}}\\",
            r"\toprule",
            f"{_cells(table.header)} \\\\",
            r"\midrule",
            r"\endhead",
            body,
            r"\bottomrule",
            r"\end{longtable}",
            r"\endgroup",
        ]
    )


def _cells(cells: Sequence[str]) -> str:
    return " & ".join(_guarded(escaped(cell)) for cell in cells)


def _guarded(cell: str) -> str:
    """Keep a cell that opens with a bracket from being read as an argument of the line break before it."""
    return f"{{}}{cell}" if cell.startswith(("[", "*")) else cell


def escaped(words: str) -> str:
    r"""Escape words for LaTeX; what it has no sign for becomes a question mark.

    >>> escaped("β = 3 & x_1: 5 % ±0.2, XOR₂, e⁻²")
    '$\\beta$ = 3 \\& x\\_1: 5 \\% $\\pm$0.2, XOR$_{2}$, e$^{-2}$'
    """
    return "".join(_token(found) for found in TOKENS.finditer(words))


def _token(found: re.Match[str]) -> str:
    if barred := found["barred"]:
        return rf"$\bar{{{barred}}}$"
    if raised := found["raised"]:
        return f"$^{{{raised.translate(RAISED)}}}$"
    if lowered := found["lowered"]:
        return f"$_{{{lowered.translate(LOWERED)}}}$"
    letter = found["letter"]
    if letter in SIGNS:
        return f"${SIGNS[letter]}$"
    written = SPECIAL.get(letter) or WORDS.get(letter, letter)
    return written if written.isascii() else "?"
