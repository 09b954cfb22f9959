"""Claims about faces. They are checked on the package's own LUNA, the one that was run."""

from collections.abc import Sequence
from functools import partial

from unabases.paper.methods import LUNA, NLM_MAP
from unabases.paper.report.claims.record import Claim, Finding, Ours
from unabases.paper.report.paper_values import paper_text
from unabases.paper.report.rows import Summary, by_method, summary_of
from unabases.paper.report.scores import mean_std
from unabases.paper.store import Row

__all__ = ["FACES_CLAIMS"]

NOTICED = 0.05  # 5 % of the epistemic std on training rows: nobody would notice a smaller rise


def rises(rows: Sequence[Row], dataset: str) -> Finding | None:
    """LUNA's epistemic std rises noticeably more on people missing from the training data than on others."""
    found = {
        name: [summary_of(part, score, dataset) for score in ("rise_gap", "rise")]
        for name, part in by_method(rows).items()
        if name.startswith(LUNA)
    }
    if LUNA not in found or not found[LUNA][0].n:
        return None
    said = [
        " against ".join([f"{name} {mean_std(*gap[:2], percent=True)}", mean_std(*other[:2], percent=True)])
        for name, (gap, other) in found.items()
        if gap.n
    ]
    gap, other = found[LUNA]
    printed = [f"{100 * value:+.0f}" for score in ("rise_gap", "rise") if (value := paper_text(dataset, score))]
    held = gap.mean - other.mean > max(NOTICED, gap.std, other.std) if min(gap.n, other.n) > 1 else None
    return Finding(held, f"{'; '.join(said)}; the paper {' against '.join(printed)} %")


def detects_better(rows: Sequence[Row], dataset: str) -> Finding | None:
    """LUNA's epistemic std tells people missing from the training data from others better than MAP's.

    Better is a mean that is larger by more than either spread, and not by what a single split happens to give.
    """
    found = {name: summary_of(part, "auroc", dataset) for name, part in by_method(rows).items()}
    pairs = [(f"{LUNA}{width}", f"{NLM_MAP}{width}") for width in ("", ", 50 units")]
    run = [pair for pair in pairs if all(name in found and found[name].n for name in pair)]
    said = "; ".join(f"{name} {mean_std(*found[name][:2])}" for pair in run for name in pair)
    if not run:
        return None
    repeated = all(found[name].n > 1 for pair in run for name in pair)
    held = all(_clearly_above(found[luna], found[plain]) for luna, plain in run) if repeated else None
    return Finding(held, f"area under the curve: {said}")


def _clearly_above(own: Summary, other: Summary) -> bool:
    return own.mean - other.mean > max(own.std, other.std)


def printed_rise(dataset: str) -> Finding | None:
    """The changes that the paper's text gives; it gives no spread."""
    gap, other = (paper_text(dataset, score) for score in ("rise_gap", "rise"))
    if gap is None or other is None:
        return None
    return Finding(gap - other > NOTICED, f"{100 * gap:+.0f} against {100 * other:+.0f} %, without a spread")


_RISES = (
    f"epistemic std of {LUNA}, relative to training, rises more on them than on other test rows, by more than 5 % and "
    "more than either spread"
)
_MEN, _AGES = (partial(rises, dataset=name) for name in ("faces-men", "faces-ages"))
_TOLD = partial(detects_better, dataset="faces-men")
FACES_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Women, trained on men",
        "Trained on faces of men, LUNA is less sure about women than about other men "
        "(in the stored columns, see docs/faces.md).",
        _RISES,
        "faces",
        _MEN,
        LUNA,
        (Ours(LUNA, "faces", _MEN),),
        partial(printed_rise, "faces-men"),
    ),
    Claim(
        "Ages 30 to 40, trained on others",
        "Trained on faces of people below 30 and above 40, LUNA is less sure about those in between.",
        _RISES,
        "faces",
        _AGES,
        LUNA,
        (Ours(LUNA, "faces", _AGES),),
        partial(printed_rise, "faces-ages"),
    ),
    Claim(
        "Women told from men",
        "Trained on faces of men, LUNA's epistemic std tells women from other men better than MAP's "
        "(in the stored columns).",
        f"mean AUROC of epistemic std of {LUNA} above that of {NLM_MAP} with as many units, by more than either "
        "spread; the paper does not give it",
        "faces",
        _TOLD,
        LUNA,
        (Ours(LUNA, "faces", _TOLD),),
    ),
)
