"""Facts about the nine UCI tables.

Units are those that the UCI or StatLib description states; None if it states none, or if the numbers contradict it (see
the note on naval).
"""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["UCI", "UciTable"]


class UciTable(NamedTuple):
    """The facts about one table."""

    sha256: str
    """Checksum of `uci/<name>.csv`, or of `uci/<name>.csv.gz` if `unpacked_sha256` is given."""
    rows: int
    units: Mapping[str, str | None]
    """Units by column, in the order of the file; the target comes last."""
    source: str
    citation: str
    remote: str
    """Directory of the plain-text copy, see `datasets.registry.HOMES`."""
    licence: str = "CC BY 4.0"
    unpacked_sha256: str | None = None
    leave_out: tuple[str, ...] = ()
    """Columns that the usual benchmark does not use as inputs."""
    text_columns: tuple[str, ...] | None = None
    """Order of the columns in the plain-text copy, if it differs from that of the file."""


def _units(text: str) -> dict[str, str | None]:
    """Read `columns: unit; columns: unit`, where ? stands for an unknown unit."""
    pairs = (part.split(":") for part in text.split(";"))
    return {column: None if "?" in unit else unit.strip() for columns, unit in pairs for column in columns.split()}


# UCI states °C for temperatures (the air at the inlet has 288, which is 15 °C in kelvin), kN m for a shaft torque of
# up to 72,785 (which at these revolutions would be 27 GW) and kN for two more torques: left unknown here.
_NAVAL_UNITS = _units(
    "lever_position: dimensionless; ship_speed: knots; gt_shaft_torque: ?; gt_rate_of_revolutions "
    "gas_generator_rate_of_revolutions: rpm; starboard_propeller_torque port_propeller_torque "
    "hp_turbine_exit_temperature gt_compressor_inlet_air_temperature gt_compressor_outlet_air_temperature: ?; "
    "hp_turbine_exit_pressure gt_compressor_inlet_air_pressure gt_compressor_outlet_air_pressure "
    "gt_exhaust_gas_pressure: bar; turbine_injection_control: %; fuel_flow: kg/s; "
    "turbine_decay compressor_decay: dimensionless"
)

UCI: dict[str, UciTable] = {
    "boston": UciTable(
        sha256="79ac716620024011b03c0c44d2bf99069b8173649181926d9109c25475a3804c",
        rows=506,
        units=_units(
            "CRIM: ?; ZN INDUS: %; CHAS: dimensionless; NOX: parts per 10 million; RM: rooms; AGE: %; DIS RAD: ?; "
            "TAX: USD per 10,000 USD; PTRATIO: pupils per teacher; B: ?; LSTAT: %; MEDV: 1000 USD"
        ),
        source="StatLib, formerly UCI",
        licence="none stated; freely redistributed",
        citation="Harrison, D. and Rubinfeld, D. L. (1978). Hedonic housing prices and the demand for clean "
        "air. Journal of Environmental Economics and Management 5, 81-102.",
        remote="bostonHousing",
    ),
    "concrete": UciTable(
        sha256="d0282e7eec33fa9fc0cef0bc0fd3d2bd3eec112d2178d660b6e0b1ba4b96c541",
        rows=1030,
        units=_units(
            "cement slag fly_ash water superplasticizer coarse_aggregate fine_aggregate: kg/m³; age: days; "
            "strength: MPa"
        ),
        source="https://archive.ics.uci.edu/dataset/165",
        citation="Yeh, I.-C. (1998). Modeling of strength of high-performance concrete using artificial "
        "neural networks. Cement and Concrete Research 28, 1797-1808.",
        remote="concrete",
    ),
    "yacht": UciTable(
        sha256="865590603d30b0fe9bf5fb87ce13ef6a265e13e65802885a097e67940f67f2c6",
        rows=308,
        units=_units(
            "longitudinal_position prismatic_coefficient length_displacement beam_draught length_beam froude_number "
            "resistance: dimensionless"
        ),
        source="https://archive.ics.uci.edu/dataset/243",
        citation="Gerritsma, J., Onnink, R. and Versluis, A. (1981). Geometry, resistance and stability of "
        "the Delft systematic yacht hull series. International Shipbuilding Progress 28, 276-297.",
        remote="yacht",
    ),
    "energy": UciTable(  # areas are multiples of 12.25: each building is 18 cubes of 3.5 m, 771.75 m³
        sha256="c302983736e4fcd5dea54f60dbbf104719486fb209b7fc1f6f41963ac10fb490",
        rows=768,
        units=_units(
            "relative_compactness: dimensionless; surface_area wall_area roof_area: m²; overall_height: m; "
            "orientation glazing_area glazing_area_distribution heating_load: ?"
        ),
        source="https://archive.ics.uci.edu/dataset/242",
        citation="Tsanas, A. and Xifara, A. (2012). Accurate quantitative estimation of energy "
        "performance of residential buildings using statistical machine learning tools. Energy and "
        "Buildings 49, 560-567.",
        remote="energy",
    ),
    "kin8nm": UciTable(
        sha256="e74acfb93744b300a8bca76890a2a4a2f3dedf0ea6a76a7fb353da44ee91c773",
        rows=8192,
        units=_units("theta1 theta2 theta3 theta4 theta5 theta6 theta7 theta8 y: ?"),
        source="DELVE, University of Toronto; https://www.openml.org/d/189",
        licence="public",
        citation="DELVE, Data for Evaluating Learning in Valid Experiments, family kin. University of Toronto.",
        remote="kin8nm",
    ),
    "wine_red": UciTable(
        sha256="b51c8ee6ca1f66473bd98042780da9ce3eceaf6fe113441e8f2c3ee593b02318",
        rows=1599,
        units=_units(
            "fixed_acidity volatile_acidity citric_acid residual_sugar chlorides: g/dm³; free_sulfur_dioxide "
            "total_sulfur_dioxide: mg/dm³; density: g/cm³; pH: dimensionless; sulphates: g/dm³; alcohol: % by volume; "
            "quality: score from 0 to 10"
        ),
        source="https://archive.ics.uci.edu/dataset/186",
        citation="Cortez, P., Cerdeira, A., Almeida, F., Matos, T. and Reis, J. (2009). Modeling wine "
        "preferences by data mining from physicochemical properties. Decision Support Systems 47, 547-553.",
        remote="wine-quality-red",
    ),
    "power_plant": UciTable(
        sha256="76855630b59fb9b2ef08e02d5907f8c73f18d97a476ac25f06cca6dd7fe2df21",
        rows=9568,
        units=_units("AT: °C; V: cm Hg; AP: mbar; RH: %; PE: MW"),
        source="https://archive.ics.uci.edu/dataset/294",
        citation="Tüfekci, P. (2014). Prediction of full load electrical power output of a base load operated combined "
        "cycle power plant using machine learning methods. International Journal of Electrical Power & Energy "
        "Systems 60, 126-140.",
        remote="power-plant",
    ),
    "protein": UciTable(
        sha256="5dafcc9ce4127885ce5db37383ffe8c4706738d0f9483eb9f0521a44b717f81c",
        unpacked_sha256="5879f143cf15b2f59e63ddd413bc11417b1cd6ef311ff6f449b0aeb5b861e1f0",
        rows=45730,
        units=_units("F1 F2 F3 F4 F5 F6 F7 F8 F9: ?; RMSD: Å"),
        source="https://archive.ics.uci.edu/dataset/265",
        citation="Rana, P. (2013). Physicochemical Properties of Protein Tertiary Structure. UCI Machine Learning "
        "Repository, https://doi.org/10.24432/C5QW3H.",
        remote="protein-tertiary-structure",
    ),
    "naval": UciTable(
        sha256="9bbfd272f9a6f3fca4020072c4fba3377a899cacbeb43b6f6bba54cfdd9c5730",
        unpacked_sha256="2c6aac8446322a45f09a128051934fd6ac7b26088c1e482a7428708ff83a4ae4",
        rows=11934,
        units=_NAVAL_UNITS,
        source="https://archive.ics.uci.edu/dataset/316",
        citation="Coraddu, A., Oneto, L., Ghio, A., Savio, S., Anguita, D. and Figari, M. (2016). Machine learning "
        "approaches for improving condition-based maintenance of naval propulsion plants. Proceedings of the "
        "Institution of Mechanical Engineers, Part M: Journal of Engineering for the Maritime Environment 230, "
        "136-153.",
        remote="naval-propulsion-plant",
        leave_out=("turbine_decay",),
        text_columns=(*list(_NAVAL_UNITS)[:16], "compressor_decay", "turbine_decay"),
    ),
}
"""The tables by name."""
