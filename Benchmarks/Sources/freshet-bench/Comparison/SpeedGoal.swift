import Foundation
import TextFormats

/// The goal of a row.
struct SpeedGoal {
    var ratioAtLeast: Double?
    var ratioAtMost: Double?
    var oursAtLeast: Double?
    var oursAtMost: Double?

    /// An invalid file of thresholds.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The thresholds in a file, by the names of rows.
    static func read(file: String) throws -> [String: SpeedGoal] {
        do {
            let rows = try JSONMembers([UInt8](Data(contentsOf: URL(fileURLWithPath: file)))).members
            return Dictionary(uniqueKeysWithValues: try rows.map { ($0.name, try SpeedGoal($0.value)) })
        } catch let error as JSONMembers.Malformed {
            throw Unreadable(description: "\(file): byte \(error.offset): expected \(error.expected)")
        }
    }

    private init(_ value: JSONMembers.Value) throws {
        let names = "ratio_at_least, ratio_at_most, ours_at_least, ours_at_most"
        guard let limits = value.members?.members else {
            throw Unreadable(
                description: "thresholds: got \(value.kind), allowed: an object of \(names)"
            )
        }
        for (name, value) in limits {
            guard let limit = value.number else {
                throw Unreadable(description: "thresholds: \(name): got \(value.kind), allowed: a number")
            }
            switch name {
            case "ratio_at_least": ratioAtLeast = limit
            case "ratio_at_most": ratioAtMost = limit
            case "ours_at_least": oursAtLeast = limit
            case "ours_at_most": oursAtMost = limit
            default:
                throw Unreadable(
                    description: "thresholds: got \(name), allowed: \(names)"
                )
            }
        }
    }

    /// The goal in symbols.
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
