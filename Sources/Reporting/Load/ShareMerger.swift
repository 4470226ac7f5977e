import TextFormats

/// The merger of results from shares of one load.
public struct ShareMerger: Hashable, Sendable {
    /// The number of shares of the load.
    public let count: Int
    /// The merged shares, in ascending order.
    public let merged: [Int]
    /// The merged shares that sent late.
    public let late: [Int]
    /// The merged shares that ended early.
    public let endedEarly: [Int]
    /// The start of all shares [µs since 1970].
    public let start: Int64

    /// Creates a description of a merger.
    public init(of count: Int, merged: [Int], late: [Int], endedEarly: [Int], start: Int64) {
        self.count = count
        self.merged = merged
        self.late = late
        self.endedEarly = endedEarly
        self.start = start
    }

    /// The missing shares.
    public var missing: [Int] { (1...max(1, count)).filter { !merged.contains($0) } }

    /// `true` if the results cover less than the requested load.
    public var isPart: Bool { !missing.isEmpty || !endedEarly.isEmpty }

    /// A description of the merger, in sentences.
    public var sentence: String {
        func list(_ words: String, _ shares: [Int]) -> String? {
            guard !shares.isEmpty else { return nil }
            return "\(words): \(shares.map { "\($0)" }.joined(separator: ", "))."
        }
        let all = count.counted("share", "shares")
        let parts = [
            isPart
                ? "Merged from a part: \(merged.count) of \(all). "
                    + "All numbers here, including thresholds, cover only that part."
                : "Merged from \(all).",
            list("Missing", missing), list("Ended early", endedEarly),
            list("Sent late, so their latencies include their own delay", late),
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// The first paragraph of a report; if shares are missing, it begins with the mark of a bad verdict.
    var markdown: String { isPart ? "✗ \(sentence)" : sentence }

    /// The members of `run.json`.
    var json: JSONValue {
        func list(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer(Int64($0)) }) }
        return [
            "count": .integer(Int64(count)), "merged_count": .integer(Int64(merged.count)), "missing": list(missing),
            "late": list(late), "ended_early": list(endedEarly), "is_part": .bool(isPart), "start_us": .integer(start),
        ]
    }
}
