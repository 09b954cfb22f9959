"""Models of tables: columns by name and type, preprocessing, and what is remembered of the training rows."""

from unabases.tables.model import TableModel, default_regressor, feature_regressor
from unabases.tables.record import HeldOut, Profile, TrainingRecord, typed_columns
from unabases.tables.schema import Column, Encoded, Schema, as_labels, as_numbers, learn_schema

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
