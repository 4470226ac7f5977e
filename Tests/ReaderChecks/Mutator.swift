import SimulationKernel

/// Generates almost valid inputs from a corpus, reproducibly.
public struct Mutator {
    /// The inserted tokens: parts of the readers' grammars, and known difficulties.
    private static let tokens: [[UInt8]] =
        [
            "\n", "\r\n", "\r", "\t", " ", "  ", ": ", "- ", ",", "\"", "'", "\"\"", "#", "[", "]", "{", "}", "&a ",
            "*a",
            "!!str ", "<<: ", "? ", "|\n", ">\n", "---\n", "...\n", "%YAML 1.2\n", "=", ".", "..", "none", "null", "~",
            "true", "constant", "exponential: {mean: 1s}", "quantiles: {p0: 1s, p100: 2s}", "\\u0000", "\\x1b", "\u{0}",
            "\u{1B}[31m", "\u{85}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{301}", "\u{E000}", "\u{1F695}", "value",
            "completed", "cancelled", "2024-02-29 00:00:00", "0001-01-01T00:00:00", "9999-12-31 23:59:59.999999",
            "2026-02-30 00:00:00", "1h30m", "3650d", "0.5us", "1us", "p99.9", "100%", "1/3", "0/0",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF]]

    /// The replacements for numbers.
    private static let extremes = [
        "0", "-0", "-1", "1", "00", "1e400", "1e-400", "5e-324", "1.7976931348623157e308", "NaN", "inf", ".inf", "0x10",
        "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "-9223372036854775809",
        "0.30000000000000004", "0.00000000000000000000000000000000000000000000000000000000000000001", "1e12",
        "315360000",
        "4096", "4097", "1e-9",
        "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
    ]
    .map { Array($0.utf8) }

    /// The maximum size of a mutant [bytes].
    private static let longest = 1 << 17

    private let corpus: [[UInt8]]
    private let source: RandomSource
    private let purpose: UInt16

    /// Creates the mutants of a corpus for a seed; `purpose` separates corpora.
    public init(of corpus: [[UInt8]], seed: UInt64, purpose: UInt16) {
        self.corpus = corpus
        self.source = RandomSource(seed: seed, replication: 0)
        self.purpose = purpose
    }

    /// Returns the mutant with a number: a file of the corpus with one to eight changes.
    public func mutant(_ number: Int) -> [UInt8] {
        var draws = Draws(source: source, entity: UInt64(number), purpose: purpose)
        var bytes = corpus[draws.next(below: corpus.count)]
        for _ in 0...draws.next(below: 8) { mutate(&bytes, &draws) }
        return Array(bytes.prefix(Self.longest))
    }

    private func mutate(_ bytes: inout [UInt8], _ draws: inout Draws) {
        switch draws.next(below: 10) {
        case 0:
            guard !bytes.isEmpty else { return }
            bytes[draws.next(below: bytes.count)] ^= 1 << UInt8(draws.next(below: 8))
        case 1:
            let token = Self.tokens[draws.next(below: Self.tokens.count)]
            let position = draws.next(below: bytes.count + 1)
            bytes.replaceSubrange(position..<position, with: token)
        case 2, 3:
            guard let number = run(in: bytes, &draws, where: Self.isNumeric) else { return }
            bytes.replaceSubrange(number, with: Self.extremes[draws.next(below: Self.extremes.count)])
        case 4:
            let copied = span(of: bytes, &draws)
            bytes.insert(contentsOf: bytes[copied], at: copied.upperBound)
        case 5:
            bytes.removeSubrange(span(of: bytes, &draws))
        case 6:
            bytes.removeLast(bytes.count - draws.next(below: bytes.count + 1))
        case 7:
            guard let left = run(in: bytes, &draws, where: Self.isWord),
                let right = run(in: bytes, &draws, where: Self.isWord), left.upperBound <= right.lowerBound
            else { return }
            let (first, second) = (Array(bytes[left]), Array(bytes[right]))
            bytes.replaceSubrange(right, with: first)
            bytes.replaceSubrange(left, with: second)
        case 8:
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines[draws.next(below: lines.count)]
            bytes.insert(contentsOf: line + [UInt8(ascii: "\n")], at: line.startIndex)
        default:
            let other = corpus[draws.next(below: corpus.count)]
            bytes = bytes.prefix(draws.next(below: bytes.count + 1)) + other.suffix(draws.next(below: other.count + 1))
        }
    }

    /// Returns a short span at a random place.
    private func span(of bytes: [UInt8], _ draws: inout Draws) -> Range<Int> {
        let start = draws.next(below: bytes.count + 1)
        return start..<min(bytes.count, start + 1 + draws.next(below: 64))
    }

    /// Returns the first run of matching bytes after a random position; nil if there is none.
    private func run(in bytes: [UInt8], _ draws: inout Draws, where isPart: (UInt8) -> Bool) -> Range<Int>? {
        let from = draws.next(below: bytes.count + 1)
        guard let start = bytes[from...].firstIndex(where: isPart) else { return nil }
        return start..<(bytes[start...].firstIndex { !isPart($0) } ?? bytes.count)
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isNumeric(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// The successive draws of one mutant.
private struct Draws {
    let source: RandomSource
    let entity: UInt64
    let purpose: UInt16
    var index: UInt32 = 0

    init(source: RandomSource, entity: UInt64, purpose: UInt16) {
        self.source = source
        self.entity = entity
        self.purpose = purpose
    }

    /// Returns a number in 0..<limit.
    mutating func next(below limit: Int) -> Int {
        defer { index += 1 }
        let draw = source.draw(entity: entity, purpose: purpose, index: index)
        return Int(draw.multipliedFullWidth(by: UInt64(limit)).high)
    }
}
