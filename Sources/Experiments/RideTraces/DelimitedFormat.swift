/// The form of a file of delimited text, as far as a user states it.
public struct DelimitedFormat: Hashable, Sendable {
    /// The byte between two fields; nil to recognize it by the first line.
    public var separator: UInt8?
    /// A Boolean value that indicates whether the first line names the columns.
    ///
    /// Without names a column goes by its number, from 1.
    public var hasHeader = true

    /// The character before the decimals of a number, a point or a comma; nil to recognize it by each column.
    public var decimalMark: UInt8?

    /// The separators that are recognized, each with its name.
    ///
    /// The earlier one wins where a line has as many of two.
    static let separators: [(byte: UInt8, name: String)] = [
        (UInt8(ascii: ","), "comma"), (UInt8(ascii: ";"), "semicolon"), (UInt8(ascii: "\t"), "tab"),
        (UInt8(ascii: "|"), "pipe"),
    ]

    /// A file whose separator is recognized and whose first line names the columns.
    public static let recognized = DelimitedFormat()

    /// A file with commas and a header.
    static let comma = DelimitedFormat(separator: UInt8(ascii: ","))

    /// A form; everything left out is recognized or usual.
    public init(separator: UInt8? = nil, hasHeader: Bool = true, decimalMark: UInt8? = nil) {
        self.separator = separator
        self.hasHeader = hasHeader
        self.decimalMark = decimalMark
    }

    /// The separator that a text names: the character itself, its name, or `\t`; nil for any other text.
    public static func separator(named text: String) -> UInt8? {
        separators.first { byte, name in
            text == name || text == String(UnicodeScalar(byte)) || text == "\\t" && name == "tab"
        }?
        .byte
    }

    /// The decimal mark that a text names: the character itself, or its name; nil for any other text.
    public static func decimalMark(named text: String) -> UInt8? {
        switch text {
        case "point", ".": UInt8(ascii: ".")
        case "comma", ",": UInt8(ascii: ",")
        default: nil
        }
    }

    /// The texts that ``separator(named:)`` takes, for messages.
    public static let allowedSeparators = "\",\", \";\", \"|\", tab"

    /// The separator that stands most often in a line, outside of quotes; a comma where none does.
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

    /// The separator that a line `sep=;` states, as spreadsheets write it before the header; nil for any other line.
    static func statedSeparator(in line: some Collection<UInt8>) -> UInt8? {
        guard line.count == 5, line.starts(with: "sep=".utf8), let last = line.dropFirst(4).first else { return nil }
        return separators.contains { $0.byte == last } ? last : nil
    }
}
