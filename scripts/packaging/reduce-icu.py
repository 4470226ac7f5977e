"""Reduces the ICU data in Swift's static library to the locales that Freshet's programs use: root and English.

usage: reduce-icu.py LIB_FOUNDATION_ICU.a REDUCED.a LLVM_BIN CLANG

Foundation brings 33 MB of tables for all languages, scripts and encodings. The programs write English and read UTF-8, so
converters, dictionaries, transliterations and the locales of other languages are removed; everything else stays. The data
package begins with a header that holds its own length. A count follows, and a pair of 32-bit offsets for each item (name
and data), sorted by name (ICU's udata.cpp, "common data", type CmnD).
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MEMBER = "icu_packaged_data.cpp.o"


def items(package):
    """The header, and the items by name, in their order."""
    header = struct.unpack_from("<H", package)[0]
    count = struct.unpack_from("<I", package, header)[0]
    pairs = [struct.unpack_from("<II", package, header + 4 + 8 * i) for i in range(count)]
    ends = [start for _, start in pairs[1:]] + [len(package) - header]
    found = []
    for (name, start), end in zip(pairs, ends):
        first = header + name
        text = package[first : package.index(b"\0", first)]
        found.append((text, package[header + start : header + end]))
    return package[:header], found


# Unused data: names of characters, currencies, languages, units, zones and countries; collation (texts are compared by
# their scalars); word and line breaks; time zones (times of day are offsets); rules for security, plurals and other
# protocols.
UNUSED_FOLDERS = {"brkitr", "coll", "curr", "lang", "rbnf", "region", "translit", "unit", "zone"}
UNUSED_FILES = re.compile(
    r"\.(cnv|dict|spp|cfu)$|^(unames|cnvalias|ulayout|uemoji)\.icu$|^nfkc_s?cf\.nrm$"
    r"|^(likelySubtags|langInfo|dayPeriods|metaZones|windowsZones|zoneinfo64|timezoneTypes|plurals|units)\.res$"
)


def is_needed(path):
    *folders, file = path.decode().split("/")
    if len(folders) > 1 and folders[1] in UNUSED_FOLDERS or UNUSED_FILES.search(file):
        return False
    if re.fullmatch(r"[a-z]{2,3}(_\w+)?\.res", file):
        return re.fullmatch(r"en(_US|_001|_US_POSIX)?\.res", file) is not None
    return True


def package(header, kept):
    """A package of the same form with these items, each at a multiple of 16 bytes."""
    names = b"".join(name + b"\0" for name, _ in kept)
    table = 4 + 8 * len(kept)
    body, place, offset = b"", table + len(names), table
    entries = []
    for name, item in kept:
        padding = -place % 16
        body += b"\0" * padding + item
        entries.append(struct.pack("<II", offset, place + padding))
        place += padding + len(item)
        offset += len(name) + 1
    return header + struct.pack("<I", len(kept)) + b"".join(entries) + names + body


def main(library, reduced, llvm, clang):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)

        def run(*command):
            subprocess.run([str(word) for word in command], cwd=scratch, check=True)

        run(f"{llvm}/llvm-ar", "x", library, MEMBER)
        listing = subprocess.run([f"{llvm}/llvm-nm", MEMBER], cwd=scratch, check=True, capture_output=True, text=True)
        symbol = re.search(r" [RD] (icudt\d+_dat)$", listing.stdout, re.MULTILINE).group(1)
        run(f"{llvm}/llvm-objcopy", "-O", "binary", "--only-section=.rodata*", MEMBER, "whole")
        header, found = items((scratch / "whole").read_bytes())
        kept = [item for item in found if is_needed(item[0])]
        if not any(name.endswith(b"/root.res") for name, _ in kept):
            sys.exit(f"reduce-icu: {library}: the package of data is not what it was: no root locale among {len(found)} items")
        (scratch / "reduced").write_bytes(package(header, kept))
        (scratch / "data.s").write_text(
            f'.section .rodata\n.balign 16\n.globl {symbol}\n.type {symbol},@object\n{symbol}:\n.incbin "reduced"\n'
            f'.size {symbol},.-{symbol}\n.section .note.GNU-stack,"",@progbits\n'
        )
        run(clang, "-c", "data.s", "-o", MEMBER)
        shutil.copy(library, scratch / "copy.a")
        run(f"{llvm}/llvm-ar", "rD", "copy.a", MEMBER)
        shutil.move(scratch / "copy.a", reduced)
        print(f"reduce-icu: {len(kept)} of {len(found)} items, {sum(len(item) for _, item in kept)} bytes")


main(*sys.argv[1:])
