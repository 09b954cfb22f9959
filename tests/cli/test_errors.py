"""What is wrong with files and values is told in a sentence."""

import pytest

from tests.cli.conftest import QUICK, run
from unabases.cli.errors import split_names


def test_names_are_split_at_commas():
    assert split_names(" a, b,,") == ["a", "b"]
    assert split_names(None) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "none.csv", "--target", "price"], "there is no file none.csv"),
        (["fit", "{}/train.csv", "--target", "cost"], "no column 'cost'; its columns are rooms, heating"),
        (["fit", "{}/train.csv", "--target", "price", "--method", "Oracle"], "unknown method 'Oracle'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lamb=3"], "UNA has no parameter 'lamb'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lam"], "`--set` takes name=value"),
        (["fit", "{}/train.csv", "--target", "price", "--features", *QUICK], "`--features` makes a LUNA"),
        (["fit", "{}/train.csv", "--target", "price", "--out", "{}/no/m.una"], "there is no directory"),
        (["predict", "{}/train.csv", "{}/new.csv"], "train.csv is a text file, not a model"),
        (["predict", "{}/m.una", "{}/none.csv"], "there is no file"),
        (["predict", "{}/m.una", "{}/new.csv", "--max-error", "1", "--defer-share", "0.1"], "give either"),
        (["audit", "{}/m.una", "{}/new.csv", "--by", "planet"], "no column 'planet' to audit by"),
        (["audit", "{}/m.una", "{}/new.csv", "--by", "price"], "'price' is the target"),
        (["explain", "{}/m.una", "{}/new.csv", "--row", "500"], "has 120 rows, so there is no row 500"),
        (["embed", "{}/nowhere", "--model", "{}/m.una"], "there is no file or folder"),
    ],
)
def test_errors_are_clear_and_without_a_traceback(place, arguments, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = run(*(argument.replace("{}", str(place)) for argument in arguments), code=1)
    assert message in " ".join(said.split())
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []
