"""The whole report as one HTML page that needs nothing else: no scripts, no fonts, no files beside it."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources

from unabases.paper.report.claims import Claim, all_claims
from unabases.paper.report.figures import Picture, all_pictures
from unabases.paper.report.gathered import EXPERIMENTS, Results, command
from unabases.paper.report.grids import Grid, all_grids
from unabases.paper.report.html_parts import claims_html, frame_html, grid_html, grid_title, listing_html, picture_html
from unabases.paper.report.listings import Listing, all_listings
from unabases.paper.report.provenance import failures, machines, runs, settings, warnings_given
from unabases.paper.report.summary import five_lines
from unabases.paper.report.verdicts import RULE

__all__ = ["TITLE", "report_page"]

TITLE = "Uncertainty-aware bases: every table and figure, beside the paper's numbers"


def report_page(
    results: Results,
    grids: Sequence[Grid] | None = None,
    listings: Sequence[Listing] | None = None,
    pictures: Sequence[Picture] | None = None,
    images: Mapping[str, bytes] | None = None,
) -> str:
    """The page; parts that were made already can be given, pictures also as PNG files by their name."""
    grids = all_grids(results) if grids is None else list(grids)
    listings = all_listings(results) if listings is None else list(listings)
    pictures = all_pictures(results) if pictures is None else list(pictures)
    claims, images = all_claims(results), images or {}
    style = resources.files("unabases.paper.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en-GB"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(TITLE)}</title><style>\n{style}</style></head><body>'
        f"{_contents(grids, listings, pictures)}<main>"
        f"{_front(results, grids, claims)}"
        f'<h2 id="claims">The paper\'s claims</h2>{claims_html(claims)}'
        f'<h2 id="tables">Tables</h2><p>{escape(RULE)}</p>{"".join(map(grid_html, grids))}'
        f"{''.join(map(listing_html, listings))}"
        f'<h2 id="figures">Figures</h2>{"".join(picture_html(one, images.get(one.name)) for one in pictures)}'
        f"{_provenance(results)}</main></body></html>\n"
    )


def _contents(grids: Sequence[Grid], listings: Sequence[Listing], pictures: Sequence[Picture]) -> str:
    groups = (
        ("found", "What was found", ()),
        ("claims", "Claims", ()),
        ("tables", "Tables", [(grid.spec.name, grid_title(grid)) for grid in grids]),
        ("tables", "More tables", [(listing.name, listing.title) for listing in listings]),
        ("figures", "Figures", [(f"figure-{picture.name}", picture.title) for picture in pictures]),
        ("provenance", "How it was made", [(name, title) for name, title, *_ in _PARTS]),
    )
    said = []
    for target, title, entries in groups:
        links = "".join(f'<li><a href="#{escape(name)}">{escape(text)}</a></li>' for name, text in entries)
        below = f"<ul>{links}</ul>" if links else ""
        said.append(f'<li><a href="#{target}">{escape(title)}</a>{below}</li>')
    return f'<nav aria-label="Contents"><ul>{"".join(said)}</ul></nav>'


def _front(results: Results, grids: list[Grid], claims: list[Claim]) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in five_lines(results, grids, claims))
    return f'<header><h1>{escape(TITLE)}</h1></header><section id="found"><h2>What was found</h2><ol>{lines}</ol>' + (
        f"{_profiles(results)}{_missing(results)}</section>"
    )


def _profiles(results: Results) -> str:
    shown: dict[str, list[str]] = {}
    for experiment, profile in results.profiles.items():
        if experiment in EXPERIMENTS:
            shown.setdefault(profile, []).append(experiment)
    said = " ".join(f"Profile {profile}: {', '.join(experiments)}." for profile, experiments in shown.items())
    if "tiny" in shown:
        said += " The profile tiny is there to see that all runs; its numbers mean nothing."
    return f"<p>{escape(said)}</p>" if said else ""


def _missing(results: Results) -> str:
    lacking = [name for name in EXPERIMENTS if not results.of(name)]
    if not lacking:
        return ""
    items = "".join(f"<li>{escape(EXPERIMENTS[name])}: <code>{escape(command(name))}</code></li>" for name in lacking)
    return f'<p class="missing">Not run yet:</p><ul class="missing">{items}</ul>'


_PARTS = (
    ("runs", "Runs", runs, "Times of single trials, added up over all processes."),
    ("machines", "Versions and machines", machines, ""),
    ("settings", "Settings", settings, "Where trials differ, for example by a search, all values or their range."),
    ("failures", "Failures", failures, ""),
    ("warnings", "Warnings", warnings_given, ""),
)


def _provenance(results: Results) -> str:
    said = ['<h2 id="provenance">How it was made</h2>']
    for name, title, make, note in _PARTS:
        frame = make(results)
        body = frame_html(frame, title) or "<p>None.</p>"
        words = f"<p>{escape(note)}</p>" if note and not frame.empty else ""
        said.append(f'<section id="{name}"><h3>{title}</h3>{words}{body}</section>')
    return "".join(said)
