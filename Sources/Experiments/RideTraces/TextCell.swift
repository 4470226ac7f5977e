/// Blanks around, and decimal commas within, the cells of files.
enum TextCell {
    /// A cell without blanks at its ends.
    static func trimmed(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = cell.first, let last = cell.last, isBlank(first) || isBlank(last) else { return cell }
        let start = cell.drop(while: isBlank)
        return start[..<((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1)]
    }

    /// The ways in which databases and data frames write that there is no value, in small letters.
    private static let missing: Set<String> = [
        "-", "--", "\\n", "<na>", "n/a", "na", "nan", "nat", "nil", "none", "null", "(null)", "undefined",
    ]

    /// `true` for a cell without a value: nothing, blanks, or a mark such as `NULL`, `\N`, `NaN` or `-`.
    static func isMissing(_ cell: ArraySlice<UInt8>) -> Bool {
        guard let first = cell.first else { return true }
        // Nearly all cells end here.
        guard !first.isDigit else { return false }
        let cell = trimmed(cell)
        return cell.isEmpty || cell.count <= 9 && missing.contains(String(decoding: cell, as: UTF8.self).lowercased())
    }

    /// A number with a decimal comma, such as `1.234,5`, with a decimal point; as it is where it has none.
    ///
    /// Points may stand between groups of three digits before the comma, as German spreadsheets write them.
    static func withDecimalPoint(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let parts = cell.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return cell }
        let groups = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return cell }
        return ArraySlice(groups.joined() + [UInt8(ascii: ".")] + parts[1])
    }

    /// A number and what follows its last digit: a unit, with the blanks before it, or nothing.
    static func splitUnit(_ cell: ArraySlice<UInt8>) -> (number: ArraySlice<UInt8>, unit: ArraySlice<UInt8>) {
        guard let end = cell.lastIndex(where: { $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
        else {
            return (cell, [])
        }
        return (cell[...end], cell[(end + 1)...])
    }

    /// `true` for a cell of a number that has no value.
    ///
    /// `NaN` is no such cell: it is what a failed computation gives.
    static func isMissingNumber(_ cell: ArraySlice<UInt8>) -> Bool {
        isMissing(cell) && String(decoding: trimmed(cell), as: UTF8.self).lowercased() != "nan"
    }

    /// `true` for a number such as `1.155` or `1.155.000`, whose points may stand between thousands.
    static func mayBeGrouped(_ cell: ArraySlice<UInt8>) -> Bool {
        let groups = cell.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.count > 1, let first = groups.first, (1...3).contains(first.count),
            first.first != UInt8(ascii: "0")
        else { return false }
        return groups.joined().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && groups.dropFirst().allSatisfy { $0.count == 3 }
    }
}
