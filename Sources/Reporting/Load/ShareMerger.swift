import TextFormats

/// That results were merged of shares of one load, and what is to be known of these.
public struct ShareMerger: Hashable, Sendable {
    /// How many shares the load has.
    public let count: Int
    /// Which were merged, rising.
    public let merged: [Int]
    /// Which of them were late themselves.
    public let late: [Int]
    /// Which of them were ended early.
    public let endedEarly: [Int]
    /// When all began [µs since 1970].
    public let start: Int64

    /// A merger.
    public init(of count: Int, merged: [Int], late: [Int], endedEarly: [Int], start: Int64) {
        self.count = count
        self.merged = merged
        self.late = late
        self.endedEarly = endedEarly
        self.start = start
    }

    /// Which were not there.
    public var missing: [Int] { (1...max(1, count)).filter { !merged.contains($0) } }

    /// Whether they are less than the load that was asked for.
    public var isPart: Bool { !missing.isEmpty || !endedEarly.isEmpty }

    /// What was merged, in sentences.
    public var sentence: String {
        func list(_ words: String, _ shares: [Int]) -> String? {
            guard !shares.isEmpty else { return nil }
            return "\(words): \(shares.map { "\($0)" }.joined(separator: ", "))."
        }
        let parts = [
            isPart
                ? "Merged of a part: \(merged.count) of \(count) shares. Everything here, thresholds too, is about that part."
                : "Merged of \(count) shares.",
            list("Missing", missing), list("Ended early", endedEarly),
            list("Late themselves, so that what they measured is partly their own delay", late),
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// The first paragraph of a report; that of a part begins with the mark of a bad verdict.
    var markdown: String { isPart ? "✗ \(sentence)" : sentence }

    /// As `run.json` has it.
    var json: JSONValue {
        func list(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer(Int64($0)) }) }
        return [
            "count": .integer(Int64(count)), "merged_count": .integer(Int64(merged.count)), "missing": list(missing),
            "late": list(late), "ended_early": list(endedEarly), "is_part": .bool(isPart), "start_us": .integer(start),
        ]
    }
}
