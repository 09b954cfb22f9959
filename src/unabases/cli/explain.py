"""`unabases explain`: find out why a model is unsure about a row."""

import math
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, busy
from unabases.cli.json_output import Json, print_json
from unabases.cli.predict import load_table_model


def explain(
    model: Annotated[Path, typer.Argument(help="Model file written by `unabases fit`.")],
    table: Annotated[Path, typer.Argument(help="Table with the model's columns, CSV or Parquet.")],
    row: Annotated[int, typer.Option(help="Number of the row, counted from 1 without the header.", min=1)],
    nearest: Annotated[int, typer.Option(help="How many training rows to show.", min=0)] = 5,
    inputs: Annotated[int, typer.Option(help="How many inputs to show.", min=1)] = 8,
    separator: Annotated[str, typer.Option(help="Separator of the columns of a CSV file.")] = ",",
    as_json: Json = False,
) -> None:
    """Explain why a model is unsure about a row: its most unusual inputs, and the nearest training rows."""
    from unabases.audit import explain as run_explain
    from unabases.audit.words import change_text, value_text
    from unabases.tables.streaming import take_row

    with busy("looking at the row"):
        loaded = load_table_model(model)
        found = run_explain(loaded, take_row(loaded, table, row - 1, separator=separator), n_nearest=nearest)
    target = loaded.schema.target
    if as_json:
        print_json({"row": row, "target": target, **found.to_dict()})
        return
    console = PlainConsole()
    console.print(f"row {row}: {found.sentence}", soft_wrap=True)
    console.print(
        f"{target} = {found.mean:.4g}, epistemic std {found.epistemic_std:.4g} "
        f"({change_text(found.relative)} relative to training), noise std {found.noise_std:.4g}",
        soft_wrap=True,
    )
    console.print(f"{100 * found.p:.2g} % of rows like the training data are as unfamiliar as this one", soft_wrap=True)
    shown = Table(title="inputs, the most unusual first", title_justify="left", box=None)
    shown.add_column("column")
    for name in ("value", "in training", "outside", "typical", "epistemic std if typical"):
        shown.add_column(name, justify="right")
    for line in found.inputs.head(inputs).to_dict("records"):
        common = not math.isnan(line["share"])  # a category
        where = f"{100 * line['share']:.1f} % of rows" if common else f"{100 * line['percentile']:.0f} % below"
        outside = f"{line['outside']:.2f}" if line["outside"] != math.inf else "never seen" if common else "beyond all"
        if math.isnan(line["outside"]):  # missing, which has no place
            where = outside = "–"
        change = value_text(line["typical"]), f"{line['std_if_typical']:.4g}"
        shown.add_row(str(line["column"]), value_text(line["value"]), where, outside, *change)
    console.print(shown)
    if found.rises:
        console.print(found.rises, soft_wrap=True)
    if found.nearest is None:
        console.print("the model stores no training rows (it was fitted with --no-rows)")
    elif nearest:
        where = "in the features of the last layer" if found.nearest_in_features else "in the inputs"
        console.print(f"nearest training rows, {where}", style="italic", soft_wrap=True)
        rows = Table(box=None)
        place = {name: i for i, name in enumerate(found.inputs["column"])}
        names = list(found.nearest)
        others = sorted(range(1, len(names)), key=lambda i: place.get(names[i], -1))
        neighbours = found.nearest.iloc[:, [0, *others[:8]]]  # distance, kept columns, unusual inputs
        for name in neighbours:
            rows.add_column(str(name), justify="right")
        for _, line in neighbours.iterrows():
            rows.add_row(*map(value_text, line))
        console.print(rows)
