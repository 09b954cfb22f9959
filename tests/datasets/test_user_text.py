import pandas as pd
import pytest

from unabases.datasets.user_text import harmless_cell, printable
from unabases.datasets.writing import harmless_frame


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe in m², 東京 😀", "Größe in m², 東京 😀"),
        ("two\nlines", "two\nlines"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\rb\0c\x7f\x9b", r"a\rb\x00c\x7f\x9b"),
        ("user\u202egnp.exe", r"user\u202egnp.exe"),
        ("\udcff", r"\udcff"),
        (3, "3"),
    ],
)
def test_what_a_terminal_would_act_on_is_written_as_its_code(text, shown):
    assert printable(text) == shown
    printable(text).encode()


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", " =1", "\t=1", "＝1", '=HYPERLINK("x")']
)
def test_formulas_get_an_apostrophe_once(cell):
    assert harmless_cell(cell) == "'" + cell
    assert harmless_cell(harmless_cell(cell)) == "'" + cell


@pytest.mark.parametrize("cell", ["a=b", "00000", "-5", "+4.5e3", "", "gas", -3, 2.5, None, True])
def test_everything_else_stays(cell):
    assert harmless_cell(cell) is cell


def test_names_of_columns_are_cells_too():
    frame = pd.DataFrame({"@n": ["=a", None], "x": [-1.0, 2.0], "when": pd.to_datetime(["2026-01-01", None])})
    safe = harmless_frame(frame)
    assert list(safe) == ["'@n", "x", "when"]
    assert safe.to_csv(index=False).splitlines() == ["'@n,x,when", "'=a,-1.0,2026-01-01", ",2.0,"]
