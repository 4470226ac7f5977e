import Evaluation
import Reporting

extension LoadResults {
    /// Returns the results of `load apns`.
    static func apns(
        _ rows: [SummaryRow],
        settings: [(name: String, value: String)] = [],
        seed: UInt64 = 7
    ) -> LoadResults {
        LoadResults(name: "load apns", seed: seed, settings: settings, rows: rows)
    }
}
