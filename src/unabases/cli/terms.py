"""Options that say what is known of the function: `--monotone dose:+ --bounds 0,100`."""

from typing import Any

_SIGNS = {"+": True, "-": False}


def read_terms(monotone: list[str], convex: list[str], bounds: str | None) -> list[Any]:
    """Make terms of options.

    Parameters
    ----------
    monotone : list of str
        Columns with a sign: `dose:+` rises, `price:-` falls.
    convex : list of str
        Columns with a sign: `size:+` never bends down, `fertiliser:-` never bends up.
    bounds : str or None
        The least and the greatest value, such as `0,100`, `0,` or `,100`.

    Returns
    -------
    list
        Terms of `unabases.terms`.

    Examples
    --------
    >>> read_terms(["dose:+"], [], "0,100")
    [Monotone(column='dose', increasing=True, output=None), Bounds(lower=0.0, upper=100.0, output=None)]
    """
    from unabases.terms import Bounds, Convex, Monotone

    found: list[Any] = [Monotone(column, up) for column, up in _signed("--monotone", monotone)]
    found += [Convex(column, up) for column, up in _signed("--convex", convex)]
    if bounds is not None:
        found.append(Bounds(*_pair(bounds)))
    return found


def told(model: Any, terms: list[Any]) -> Any:
    """A regressor that is told these terms; only one that takes `terms` can be."""
    if not terms:
        return model
    if "terms" not in model.get_params():
        raise ValueError(f"{type(model).__name__} cannot be told what is known; use `--method UNA`.")
    return model.set_params(terms=terms)


def _signed(option: str, texts: list[str]) -> list[tuple[str, bool]]:
    found = []
    for text in texts:
        column, colon, sign = text.rpartition(":")
        if not colon or sign not in _SIGNS:
            raise ValueError(f"`{option}` takes a column and a sign, such as dose:+ or dose:-; got {text!r}.")
        found.append((column, _SIGNS[sign]))
    return found


def _pair(text: str) -> list[float | None]:
    parts = [part.strip() for part in text.split(",")]
    try:
        numbers = [float(part) if part else None for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != 2:
        raise ValueError(f"`--bounds` takes two numbers, such as 0,100, of which one may be empty; got {text!r}.")
    return numbers
