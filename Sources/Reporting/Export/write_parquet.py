"""Writes the CSV files of a result directory, or an event log, as Parquet, one file each.

usage: write_parquet.py RESULT_DIRECTORY OUTPUT_DIRECTORY
       write_parquet.py --log LOG.csv LOG.parquet

The same CSV gives the same bytes. Columns whose values are all whole are int64, other numbers double, the rest text;
an empty field is null.
"""
import os
import pathlib
import sys
import tempfile

import pyarrow
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet


def table(path):
    """A CSV file with the types that its values have."""
    try:
        # Whole files as one block: types are found from all values, not from the first ones.
        read = pyarrow.csv.ReadOptions(block_size=max(1, path.stat().st_size), use_threads=False)
        convert = pyarrow.csv.ConvertOptions(null_values=[""], strings_can_be_null=True)
        found = pyarrow.csv.read_csv(path, read_options=read, convert_options=convert)
    except pyarrow.ArrowInvalid as error:
        sys.exit(f"{path}: {error}")
    for index, field in enumerate(found.schema):
        if pyarrow.types.is_null(field.type):
            # A column without a value: text where a name is expected, else a number that is not defined.
            found = found.set_column(index, field.name, found.column(index).cast(pyarrow.float64()))
        elif not (pyarrow.types.is_int64(field.type) or pyarrow.types.is_float64(field.type)):
            found = found.set_column(index, field.name, found.column(index).cast(pyarrow.string()))
    return found


def log(source, output):
    """Writes an event log, a part at a time. Numbers are in the columns of times, and in a few more."""
    with open(source, "rb") as file:
        names = file.readline().decode().strip().split(",")
    numbers = {"priority", "attempt", "status", "payload_bytes"}
    types = {
        name: pyarrow.int64() if name.endswith("_us") or name in numbers else pyarrow.string() for name in names
    }
    # A block of a fixed size, so that the same log gives the same bytes.
    read = pyarrow.csv.ReadOptions(block_size=1 << 22, use_threads=False)
    convert = pyarrow.csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True)
    descriptor, partial = tempfile.mkstemp(dir=pathlib.Path(output).parent, prefix=".log.")
    mask = os.umask(0)
    os.umask(mask)
    try:
        reader = pyarrow.csv.open_csv(source, read_options=read, convert_options=convert)
        with os.fdopen(descriptor, "wb") as file:
            with pyarrow.parquet.ParquetWriter(
                file, reader.schema, version="2.6", compression="zstd", store_schema=False
            ) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        os.chmod(partial, 0o666 & ~mask)
        os.replace(partial, output)
    except BaseException:
        os.unlink(partial)
        raise


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--log":
        log(*arguments[1:])
        return
    if len(arguments) != 2:
        sys.exit(__doc__)
    source, output = map(pathlib.Path, arguments)
    mask = os.umask(0)
    os.umask(mask)
    for path in sorted(source.glob("*.csv")):
        # Renamed into its place: what is there already may be a link to another file, or a pipe.
        descriptor, partial = tempfile.mkstemp(dir=output, prefix=f".{path.stem}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                pyarrow.parquet.write_table(
                    table(path), file, version="2.6", compression="zstd", store_schema=False
                )
            os.chmod(partial, 0o666 & ~mask)
            os.replace(partial, output / f"{path.stem}.parquet")
        except BaseException:
            os.unlink(partial)
            raise


if __name__ == "__main__":
    main(sys.argv[1:])
