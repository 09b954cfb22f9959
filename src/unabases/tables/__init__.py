"""Models of tables: a regressor with the columns of its table and a record of its training rows."""

from unabases.datasets.column_values import as_labels, as_numbers
from unabases.datasets.schema import Column, Encoded, Schema, learn_schema
from unabases.tables.model import TableModel, default_regressor, feature_regressor
from unabases.tables.record import HeldOut, Profile, TrainingRecord, typed_columns

__all__ = [
    "Column",
    "Encoded",
    "HeldOut",
    "Profile",
    "Schema",
    "TableModel",
    "TrainingRecord",
    "as_labels",
    "as_numbers",
    "default_regressor",
    "feature_regressor",
    "learn_schema",
    "typed_columns",
]
