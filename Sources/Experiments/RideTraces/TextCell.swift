/// Blanks around, and decimal commas within, the cells of files.
enum TextCell {
    /// A cell without blanks at its ends.
    static func trimmed(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = cell.first, let last = cell.last, isBlank(first) || isBlank(last) else { return cell }
        let start = cell.drop(while: isBlank)
        return start[..<((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1)]
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
