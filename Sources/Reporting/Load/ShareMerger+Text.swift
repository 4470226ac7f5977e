public import Results
import TextFormats

extension ShareMerger {
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
