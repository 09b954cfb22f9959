"""`unabases fit`: train a model on a table."""

import ast
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, busy, tell
from unabases.cli.errors import LARGEST_SEED, split_names
from unabases.cli.flags import flag
from unabases.cli.json_output import Json, print_json
from unabases.cli.outputs import Output, Overwrite, beside, check_outputs, is_model, is_picture
from unabases.cli.terms import read_terms, told
from unabases.datasets.user_text import how_many

SHOWN = {
    "rmse": "RMSE",
    "mae": "MAE",
    "crps": "CRPS",
    "log_likelihood": "log-likelihood per row",
    "interval_coverage": "inside the 90 % interval",
    "interval_width": "width of that interval",
    "calibration_rms": "calibration error",
    "epistemic": "epistemic std",
}


def fit(
    table: Annotated[Path, typer.Argument(help="Training table, CSV or Parquet.")],
    target: Annotated[str, typer.Option(help="Column to predict.")],
    out: Annotated[Path, typer.Option(help="Model file to write.")] = Path("model.una"),
    method: Annotated[
        str | None, typer.Option(help="Regressor, such as LUNA or GaussianProcess. [default: UNA]")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A parameter of the regressor, such as n_heads=20 or sigma2=0.1; may be repeated.",
        ),
    ] = None,
    monotone: Annotated[
        list[str] | None,
        typer.Option(help="A column along which the target rises, dose:+, or falls, dose:-; may be repeated."),
    ] = None,
    convex: Annotated[
        list[str] | None,
        typer.Option(help="A column along which it never bends down, size:+, or up, size:-; may be repeated."),
    ] = None,
    bounds: Annotated[str | None, typer.Option(help="The range that it cannot leave, such as 0,100 or 0,.")] = None,
    weight: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column that says how often each row counts; it is no input.")
    ] = None,
    features: Annotated[
        bool,
        flag("--features", help="Use a LUNA made for features of another network, such as those of `embed`."),
    ] = False,
    drop: Annotated[str | None, typer.Option(help="Columns to leave out, such as a,b.")] = None,
    keep: Annotated[
        str | None, typer.Option(help="Columns kept for audits but not used as inputs, such as a,b.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Numeric columns to treat as categories, such as a,b.")] = None,
    number: Annotated[
        str | None, typer.Option(help="Columns of numbers in which other text counts as missing, such as a,b.")
    ] = None,
    missing: Annotated[
        str, typer.Option(help="What to do with missing values: refuse, drop (their rows) or impute.")
    ] = "refuse",
    holdout: Annotated[float, typer.Option(help="Share of the rows to hold out for testing; at most 2000 rows.")] = 0.2,
    no_rows: Annotated[bool, flag("--no-rows", help="Store no rows of the table in the model file.")] = False,
    max_levels: Annotated[int, typer.Option(help="Levels of a category that count one by one.", min=1)] = 50,
    separator: Annotated[str, typer.Option(help="Separator of the columns of a CSV file.")] = ",",
    seed: Annotated[int, typer.Option(help="Seed for the split and the training.", min=0, max=LARGEST_SEED)] = 0,
    overwrite: Overwrite = False,
    stream: Annotated[
        bool | None,
        flag(help="Read the table in pieces, in bounded memory. Default: if the file is larger than 64 MB."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a model on a table and test it on held-out rows."""
    from unabases.datasets.reading import read_frame
    from unabases.plotting import fit_figure, save_figure
    from unabases.regressors.networks.streamed import SAMPLE
    from unabases.saving import save
    from unabases.saving.partial import PartialFit
    from unabases.tables import TableModel
    from unabases.tables.large_file import fit_file, is_large

    picture = beside(out, ".png")
    outputs = (Output(out, "the model", is_model, endings=(".una",)), Output(picture, "the picture", is_picture))
    check_outputs(outputs, [table], overwrite=overwrite)
    rules: dict[str, Any] = {
        "weight": weight,
        "drop": split_names(drop),
        "keep": split_names(keep),
        "categories": split_names(category),
        "numbers": split_names(number),
        "missing": missing,
        "max_levels": max_levels,
        "holdout": holdout,
        "keep_rows": 0 if no_rows else 1000,
        "random_state": seed,
    }
    settings, partial = set_ or [], None
    terms = read_terms(monotone or [], convex or [], bounds)
    if is_large(table) if stream is None else stream:
        regressor = told(make_regressor(method, settings, seed, SAMPLE, features), terms)
        partial = PartialFit(out, table, method, settings, features, terms, target, separator, rules)
        earlier = partial.load()
        if earlier is not None:
            tell(f"continuing the fit of {partial.path}, which was stopped")
        known = {"regressor": regressor, "resumed": earlier, "on_part": partial.keep}
        model = fit_file(table, target, separator=separator, **known, **rules)
    else:
        with busy(f"reading {table}"):
            frame = read_frame(table, separator=separator, text=rules["categories"])
        regressor = told(make_regressor(method, settings, seed, len(frame), features), terms)
        model = TableModel.fit(frame, target, regressor=regressor, source=str(table), **rules)
    with busy(f"writing {out}"):
        save(model, out)
        if partial is not None:
            partial.remove()
        save_figure(picture, fit_figure(model), dpi=120)
    facts = _facts(model)
    if as_json:
        print_json({**facts, "model": out, "picture": picture})
        return
    console = PlainConsole()
    held = model.held_out
    console.print(
        f"{type(model.regressor).__name__} of {target}, {how_many(len(held.y), 'row')} held out", soft_wrap=True
    )
    shown = Table(box=None, show_header=False)
    shown.add_column("")
    shown.add_column("", justify="right")
    for name, label in SHOWN.items():
        value = held.scores[name]
        shown.add_row(label, f"{100 * value:.0f} %" if name == "interval_coverage" else f"{value:.4g}")
    shown.add_row(f"std of {target} itself", f"{held.y.std():.4g}")
    console.print(shown)
    kinds = [column.kind for column in model.schema.inputs]
    words = (("number", "numbers"), ("category", "categories"), ("date", "dates"))
    inputs = ", ".join(how_many(kinds.count(one), one, many) for one, many in words if one in kinds)
    console.print(f"trained on {how_many(model.training.n, 'row')}; inputs: {inputs}")
    if facts["constant"]:
        said = f"the same in all rows, so the model learns nothing from it: {', '.join(facts['constant'])}"
        console.print(said, soft_wrap=True)
    if facts["on_logarithm"]:
        console.print(f"seen on a logarithm: {', '.join(facts['on_logarithm'])}", soft_wrap=True)
    for kept in facts["terms"] or ():
        console.print(f"{kept['term']}: kept by {100 * (1 - kept['broken']):.1f} % of functions", soft_wrap=True)
    console.print(f"model: {out}; calibration and errors: {picture}", soft_wrap=True)


def _facts(model: Any) -> dict[str, Any]:
    """What is told of a fit, as numbers and text."""
    held, told_terms = model.held_out, getattr(model.regressor, "kept_", None)
    return {
        "method": type(model.regressor).__name__,
        "target": model.schema.target,
        "rows_trained_on": model.training.n,
        "rows_held_out": len(held.y),
        "scores": held.scores,
        "target_std": held.y.std(),
        "inputs": {column.name: column.kind for column in model.schema.inputs},
        "constant": [c.name for c in model.schema.inputs if model.training.profile(c.name).constant],
        "on_logarithm": _on_logarithm(model),
        "terms": None if told_terms is None else told_terms.to_dict("records"),
    }


def _on_logarithm(model: Any) -> list[str]:
    """The inputs that the model sees on a logarithm."""
    curve = getattr(getattr(model.regressor, "estimator_", model.regressor), "input_curve_", None)
    return [] if curve is None else [name for name, bent in zip(model.schema.columns, curve.bent, strict=True) if bent]


def make_regressor(method: str | None, settings: list[str], seed: int, n: int, features: bool = False) -> Any:
    """Make a regressor by name, by default UNA, with its parameters.

    `features` asks for a LUNA made for another network's features.
    """
    from unabases.regressors import all_regressors
    from unabases.tables import feature_regressor

    known = all_regressors()
    if features and method not in (None, "LUNA"):
        raise ValueError(
            f"`--features` makes a LUNA, but `--method` is {method!r}; leave one of the two out, and choose parameters "
            "with `--set`."
        )
    method = "UNA" if method is None else method
    if method not in known:
        raise ValueError(f"unknown method {method!r}; choose one of {', '.join(known)}.")
    model: Any = feature_regressor(n) if features else known[method]()
    parameters = parse_settings(settings)
    if unknown := sorted(set(parameters) - set(model.get_params())):
        name = type(model).__name__
        raise ValueError(f"{name} has no parameter {unknown[0]!r}; it has {', '.join(model.get_params())}.")
    shared = {name: value for name, value in {"random_state": seed, "verbose": True}.items() if hasattr(model, name)}
    return model.set_params(**{**shared, **parameters})


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """Read parameters written as `name=value`; a value that is not a Python literal is text."""
    parsed = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"`--set` takes name=value, got {setting!r}.")
        try:
            parsed[name.strip()] = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):  # the last two of many brackets
            parsed[name.strip()] = text
    return parsed
