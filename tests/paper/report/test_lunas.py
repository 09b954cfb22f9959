"""Every table says which LUNA is which."""

from unabases.paper.methods import LUNA, LUNA_DEFAULTS, LUNA_PAPER, UNA
from unabases.paper.report.lunas import LUNA_LINES, LUNAS, which_lunas


def test_each_luna_is_told_from_the_others():
    assert len(set(LUNA_LINES.values())) == 5
    for label in (LUNA, LUNA_PAPER, UNA):
        assert label in LUNAS


def test_a_table_says_which_luna_carries_the_claims():
    assert which_lunas("uci-gap", ["GP", LUNA_PAPER, LUNA], [LUNA_PAPER]) == (
        "LUNA (paper), γ and λ of the most diverse trial within a standard error of the likeliest (the paper: of the "
        "likeliest tenth), carries the paper's claims; LUNA is the package's own on the same terms and carries none of "
        "them."
    )
    assert which_lunas("cubic-gap", [LUNA_PAPER], []) == "LUNA (paper) carries the paper's claims."
    assert "LUNA, defaults is the package's own as a user gets it" in which_lunas("uci-gap", [LUNA_DEFAULTS, UNA], [])
    assert which_lunas("honesty", [UNA], []).startswith("UNA is the package's recommended model")
    assert which_lunas("uci-gap", ["GP"], []) == ""
