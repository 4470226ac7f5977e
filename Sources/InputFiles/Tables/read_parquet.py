"""Writes some columns of a Parquet file as CSV to standard output, a batch of rows at a time.

usage: read_parquet.py FILE COLUMN...

A column is found in any case and with any characters between its words; `*` is all columns but nested ones. Columns that the
file does not have are left out. Where it has none of them, its header is written alone, for the reader
to say what is missing. Memory is bounded whatever the size of the file and of its row groups.
"""
import csv
import os
import sys

import pyarrow
import pyarrow.csv
import pyarrow.parquet

ROWS = 1 << 16


def plain(field):
    """The type that a column is written with: dictionaries are spelt out, what CSV cannot hold becomes text."""
    kind = field.type.value_type if pyarrow.types.is_dictionary(field.type) else field.type
    types = pyarrow.types
    is_text = types.is_string(kind) or types.is_large_string(kind)
    is_known = is_text or types.is_timestamp(kind) or types.is_integer(kind) or types.is_floating(kind)
    return pyarrow.field(field.name, kind if is_known else pyarrow.string())


def key(name):
    """A name without case and without the characters between its words."""
    return "".join(character for character in name.lower() if character.isalnum())


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    path, *wanted = arguments
    # Columns are read through buffers, not a row group at once, which can be the whole file.
    file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    if wanted == ["*"]:
        fields = [field for field in file.schema_arrow if not pyarrow.types.is_nested(field.type)]
    else:
        keys = {key(name) for name in wanted}
        fields = [field for field in file.schema_arrow if key(field.name) in keys]
    if not fields:
        csv.writer(sys.stdout).writerow(file.schema_arrow.names)
        return
    schema = pyarrow.schema([plain(field) for field in fields])
    with pyarrow.csv.CSVWriter(sys.stdout.buffer, schema) as writer:
        for batch in file.iter_batches(ROWS, columns=[field.name for field in fields], use_threads=False):
            # The file's order of columns is that of the schema.
            writer.write_table(pyarrow.Table.from_batches([batch]).cast(schema))
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BrokenPipeError:
        # The reader has seen enough. Nothing must be written at the end either.
        os._exit(1)
    except Exception as error:
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        # Python would complain of the pipe once more.
        sys.stderr.flush()
        os._exit(1)
