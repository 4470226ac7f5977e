import Evaluation
import Reporting

extension LoadReport {
    /// Returns the results of `load apns`.
    static func apns(
        _ rows: [SummaryRow],
        settings: [(name: String, value: String)] = [],
        seed: UInt64 = 7
    ) -> LoadReport {
        LoadReport(load: "load apns", seed: seed, settings: settings, rows: rows)
    }
}
