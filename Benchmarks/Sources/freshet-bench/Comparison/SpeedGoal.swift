import Foundation

/// What a row has to reach.
struct SpeedGoal: Decodable {
    var ratioAtLeast: Double?
    var ratioAtMost: Double?
    var oursAtLeast: Double?
    var oursAtMost: Double?

    /// The thresholds of a file, by the names of rows.
    static func read(file: String) throws -> [String: SpeedGoal] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([String: SpeedGoal].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// The goal in signs.
    var text: String {
        [
            ratioAtLeast.map { "ratio ≥ \(number($0))" }, ratioAtMost.map { "ratio ≤ \(number($0))" },
            oursAtLeast.map { "≥ \(number($0))" }, oursAtMost.map { "≤ \(number($0))" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }

    func isMet(ours: Double, ratio: Double?) -> Bool {
        func holds(_ limit: Double?, _ value: Double?, _ rule: (Double, Double) -> Bool) -> Bool {
            guard let limit else { return true }
            return value.map { rule($0, limit) } ?? false
        }
        return holds(ratioAtLeast, ratio, >=) && holds(ratioAtMost, ratio, <=) && holds(oursAtLeast, ours, >=)
            && holds(oursAtMost, ours, <=)
    }

    private func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
