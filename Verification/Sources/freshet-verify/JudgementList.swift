import Reporting
import TextFormats
import Verification

/// Verdicts on known results, as a table and as JSON.
struct JudgementList: Sendable {
    /// The verdicts in file order.
    let judgements: [Judgement]

    var hasFailures: Bool { judgements.contains { $0.verdict == .fail } }

    /// The number of each verdict: `198 passed, 0 failed, 1 not expressible, 28 not used`.
    var counts: String {
        Judgement.Verdict.allCases
            .map { verdict in "\(judgements.count { $0.verdict == verdict }) \(verdict.words)" }
            .joined(separator: ", ")
    }

    /// One row per case, then the counts.
    var table: String {
        let table = TextTable(
            ["case", "verdict", "exact:", "estimate:", "±:", "z:", "seeds:", "remark"],
            rows: judgements.map { judgement in
                let numbers = [judgement.exact, judgement.estimate, judgement.halfWidth].map(text)
                return [judgement.id, judgement.verdict.rawValue] + numbers
                    + [
                        judgement.z.flatMap { FixedPoint.text($0, places: 2) } ?? "",
                        judgement.seeds > 0 ? "\(judgement.seeds)" : "", judgement.remark,
                    ]
            }
        )
        return "\(table.plain)\n\n\(counts)\n"
    }

    /// An array of `{id, verdict, exact, estimate, half_width, z, seed_z}`, null where there is no number.
    var json: String {
        func number(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
        let objects = judgements.map { judgement -> JSONValue in
            [
                "id": .string(judgement.id), "verdict": .string(judgement.verdict.rawValue),
                "exact": number(judgement.exact), "estimate": number(judgement.estimate),
                "half_width": number(judgement.halfWidth), "z": number(judgement.z),
                "seed_z": judgement.seedScores.map { .array($0.map { .number($0) }) } ?? .null,
            ]
        }
        return JSONValue.array(objects).text
    }

    /// A number to six significant digits.
    private func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        var scale = 1.0
        while value != 0, abs(value) * scale < 1e5, scale < 1e12 { scale *= 10 }
        return "\((value * scale).rounded() / scale)"
    }
}

extension Judgement.Verdict {
    fileprivate var words: String {
        switch self {
        case .pass: "passed"
        case .fail: "failed"
        case .notExpressible: "not expressible"
        case .notUsed: "not used"
        }
    }
}
