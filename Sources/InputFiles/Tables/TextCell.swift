/// Helpers for blanks, missing values and decimal commas in the cells of files.
package enum TextCell {
    /// Returns a cell without blanks at its ends.
    package static func trimmed(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = cell.first, let last = cell.last, isBlank(first) || isBlank(last) else { return cell }
        let start = cell.drop(while: isBlank)
        return start[..<((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1)]
    }

    /// The marks for missing values of databases and data frames, in lower case.
    static let missing: Set<String> = [
        "-", "--", "\\n", "<na>", "n/a", "na", "nan", "nat", "nil", "none", "null", "(null)", "undefined",
    ]

    /// Returns `true` for the first byte of a mark, or a blank.
    @inline(__always)
    private static func mayBeginMissing(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"), UInt8(ascii: "\\"), UInt8(ascii: "<"),
            UInt8(ascii: "("),
            UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "u"), UInt8(ascii: "U"):
            true
        default: false
        }
    }

    /// Returns `true` for a cell without a value: empty, blank, or a mark such as `NULL`, `\N`, `NaN` or `-`.
    package static func isMissing(_ cell: ArraySlice<UInt8>) -> Bool {
        guard let first = cell.first else { return true }
        // Nearly all cells end here.
        guard mayBeginMissing(first) else { return false }
        let cell = trimmed(cell)
        return cell.isEmpty || cell.count <= 9 && missing.contains(String(decoding: cell, as: UTF8.self).lowercased())
    }

    /// Returns a number with a decimal comma, such as `1.234,5`, with a decimal point; other numbers are unchanged.
    ///
    /// Points may separate groups of three digits before the comma, as in German spreadsheets.
    static func withDecimalPoint(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let parts = cell.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return cell }
        let groups = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return cell }
        return ArraySlice(groups.joined() + [UInt8(ascii: ".")] + parts[1])
    }

    /// Splits a number from the text after its last digit: a unit with the blanks before it, or nothing.
    static func splitUnit(_ cell: ArraySlice<UInt8>) -> (number: ArraySlice<UInt8>, unit: ArraySlice<UInt8>) {
        guard let end = cell.lastIndex(where: { $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
        else {
            return (cell, [])
        }
        return (cell[...end], cell[(end + 1)...])
    }

    /// Returns `true` for a numeric cell without a value.
    ///
    /// `NaN` is not such a cell, because it is the result of a failed computation.
    package static func isMissingNumber(_ cell: ArraySlice<UInt8>) -> Bool {
        isMissing(cell) && String(decoding: trimmed(cell), as: UTF8.self).lowercased() != "nan"
    }

    /// Returns `true` for a number such as `1.155` or `1.155.000`, whose points may separate thousands.
    static func mayBeGrouped(_ cell: ArraySlice<UInt8>) -> Bool {
        let groups = cell.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.count > 1, let first = groups.first, (1...3).contains(first.count),
            first.first != UInt8(ascii: "0")
        else { return false }
        return groups.joined().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && groups.dropFirst().allSatisfy { $0.count == 3 }
    }
}
