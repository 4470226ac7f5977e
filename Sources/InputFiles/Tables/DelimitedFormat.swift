/// The format of a file of delimited text, with the parts that a user states.
public struct DelimitedFormat: Hashable, Sendable {
    /// The byte between two fields; nil to recognize it from the first line.
    public var separator: UInt8?
    /// A Boolean value that indicates whether the first line names the columns.
    ///
    /// Without names, a column is named by its number, from 1.
    public var hasHeader = true

    /// The character before the decimals of a number, a point or a comma; nil to recognize it for each column.
    public var decimalMark: UInt8?

    /// The separators that are recognized, with their names.
    ///
    /// If a line has the same number of two, the earlier one wins.
    static let separators: [(byte: UInt8, name: String)] = [
        (UInt8(ascii: ","), "comma"), (UInt8(ascii: ";"), "semicolon"), (UInt8(ascii: "\t"), "tab"),
        (UInt8(ascii: "|"), "pipe"),
    ]

    /// The format of a file with a recognized separator and column names in the first line.
    public static let recognized = DelimitedFormat()

    /// The format of a file with commas and a header.
    static let comma = DelimitedFormat(separator: UInt8(ascii: ","))

    /// Creates a format.
    ///
    /// Omitted parts are recognized or have their defaults.
    public init(separator: UInt8? = nil, hasHeader: Bool = true, decimalMark: UInt8? = nil) {
        self.separator = separator
        self.hasHeader = hasHeader
        self.decimalMark = decimalMark
    }

    /// Returns the separator for a text: the character itself, its name, or `\t`; nil for any other text.
    public static func separator(named text: String) -> UInt8? {
        separators.first { byte, name in
            text == name || text == String(UnicodeScalar(byte)) || text == "\\t" && name == "tab"
        }?
        .byte
    }

    /// Returns the decimal mark for a text: the character itself, or its name; nil for any other text.
    public static func decimalMark(named text: String) -> UInt8? {
        switch text {
        case "point", ".": UInt8(ascii: ".")
        case "comma", ",": UInt8(ascii: ",")
        default: nil
        }
    }

    /// The texts that ``separator(named:)`` accepts, for messages.
    public static let allowedSeparators = "\",\", \";\", \"|\", tab"

    /// Returns the most frequent separator in a line, outside of quotes; a comma if there is none.
    static func recognizedSeparator(in line: some Sequence<UInt8>) -> UInt8 {
        var counts = separators.map { _ in 0 }
        var isQuoted = false
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let place = separators.firstIndex(where: { $0.byte == byte }) { counts[place] += 1 }
        }
        var best = 0
        for place in counts.indices where counts[place] > counts[best] { best = place }
        return separators[best].byte
    }

    /// Returns the separator in a line `sep=;`, which spreadsheets write before the header; nil for any other line.
    static func statedSeparator(in line: some Collection<UInt8>) -> UInt8? {
        guard line.count == 5, line.starts(with: "sep=".utf8), let last = line.dropFirst(4).first else { return nil }
        return separators.contains { $0.byte == last } ? last : nil
    }
}
