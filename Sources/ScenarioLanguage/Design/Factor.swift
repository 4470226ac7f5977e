internal import Foundation
import InputFiles

/// A variable of an experiment: a value of the scenario, by path, and its levels.
///
/// Terms follow the design of experiments (D. C. Montgomery, Design and Analysis of Experiments).
public struct Factor: Hashable, Sendable {
    /// Keys and list indices, separated by dots: `monitor.fresh_limit`.
    public let path: String
    public let levels: Levels
    /// The place of the path in the file, for messages.
    let origin: Origin

    /// A list of levels, or a range.
    public enum Levels: Hashable, Sendable {
        /// The listed levels, in the order of the file.
        case listed([FactorLevel])
        /// All values from one to another.
        case range(FactorRange)
    }

    /// The labels of the levels in a grid, in order; empty for a range without steps.
    public var labels: [String] {
        if case .range(let range) = levels, range.steps == nil { return [] }
        return gridLevels.map(\.label)
    }

    /// The levels in a grid, in order.
    ///
    /// - Precondition: A range has a number of steps.
    package var gridLevels: [FactorLevel] {
        switch levels {
        case .listed(let levels): levels
        case .range(let range): range.gridLevels
        }
    }

    /// `true` if there is more than one level.
    var differs: Bool {
        switch levels {
        case .listed(let levels): Set(levels.map(\.value)).count > 1
        case .range(let range): range.steps == nil || range.gridLevels.count > 1
        }
    }

    /// Returns the level with a label; for a range, or if no level has the label, the level with that value.
    package func level(called label: String) -> FactorLevel {
        if case .listed(let levels) = levels, let level = levels.first(where: { $0.label == label }) { return level }
        return FactorLevel(value: label, origin: origin)
    }

    /// Returns the level for a number from 0 to just below 1.
    func level(at share: Double) -> FactorLevel {
        switch levels {
        case .listed(let levels): levels[min(levels.count - 1, Int(share * Double(levels.count)))]
        case .range(let range): range.level(at: share)
        }
    }

    /// `true` if the builders of the system can choose the value.
    ///
    /// Otherwise it is a property of the world.
    ///
    /// Properties of the world are rides, phones, APNs and faults. Choices are content, sender, monitor, the refresh
    /// interval of a stage, the limits and expirations set by the provider, the way in which activities start, and the way
    /// to a group.
    var isChoice: Bool {
        ["content", "sender", "monitor", "cells"].contains { Reading.isPath(path, within: $0) }
            || [
                "apns.expiration", "apns.end_expiration", "devices.initial_content_limit",
                "devices.stale_content_limit", "devices.start.attempts", "devices.start.by",
                "devices.start.compares_rides", "devices.start.retry_after", "devices.start.schedules",
                "devices.token.post_attempts", "devices.token.post_retry_after", "groups.by", "groups.channel.storage",
            ]
            .contains(path)
            || path.wholeMatch(of: /rides\.stages\.[0-9]+\.refresh(\..*)?/) != nil
    }
}

/// A value of a factor.
public struct FactorLevel: Hashable, Sendable {
    /// The label in tables and conditions: the level's name, or the value itself.
    public let label: String
    /// The value as YAML on one line.
    package let value: String
    /// The place in the file, for messages.
    let origin: Origin
}

extension FactorLevel {
    /// Creates a level labelled by its value.
    init(value: String, origin: Origin) {
        self.init(label: value, value: value, origin: origin)
    }
}

/// A range of values of a factor.
public struct FactorRange: Hashable, Sendable {
    /// The spacing of values in a range.
    public enum Scale: String, Hashable, Sendable, CaseIterable {
        /// Equal differences.
        case linear
        /// Equal ratios.
        case log
    }

    /// The kind of quantity, which determines rounding and notation.
    enum Measure: Hashable, Sendable {
        /// Whole numbers.
        case integer
        /// Six significant digits.
        case number
        /// Six significant digits before the percent sign.
        case percent
        /// Microseconds; from one second on, milliseconds.
        case duration
    }

    /// The lower end, in the measure's unit.
    let lower: Double
    let upper: Double
    let measure: Measure
    /// The spacing of the values.
    public let scale: Scale
    /// The number of values in a grid, including both ends; nil if it is not stated.
    let steps: Int?
    /// The place in the file, for messages.
    let origin: Origin
    /// The ends as written in the file.
    let ends: [String]

    var gridLevels: [FactorLevel] {
        guard let steps else { preconditionFailure("a grid walks a range in steps") }
        var levels: [FactorLevel] = []
        for step in 0..<steps {
            let level = level(at: steps == 1 ? 0 : Double(step) / Double(steps - 1))
            // Whole numbers can be closer together than steps.
            if level.value != levels.last?.value { levels.append(level) }
        }
        return levels
    }

    /// Returns the value at a fraction of the range, rounded so that the last bit of a processor's logarithm does not
    /// matter.
    ///
    /// The ends are returned as written, and rounding never exceeds them.
    func level(at share: Double) -> FactorLevel {
        let exact =
            switch scale {
            case _ where share <= 0: lower
            case _ where share >= 1: upper
            case .linear: rounded(lower + (upper - lower) * share)
            case .log: rounded(lower * pow(upper / lower, share))
            }
        return FactorLevel(value: text(min(upper, max(lower, exact))), origin: origin)
    }

    /// Rounds a number to the places of the measure.
    private func rounded(_ value: Double) -> Double {
        switch measure {
        case .integer: return value.rounded()
        case .number, .percent: return NumberText.number(NumberText.rounded(value)) ?? value
        case .duration:
            let unit = value < 1e6 ? 1.0 : 1000.0
            return (value / unit).rounded() * unit
        }
    }

    private func text(_ value: Double) -> String {
        switch measure {
        case .integer, .number: NumberText.text(value)
        // Percentages are written without an exponent.
        case .percent: NumberText.plainText(value) { NumberText.number($0) == value } + "%"
        case .duration: DurationText.text(microseconds: value)
        }
    }

    /// The largest absolute end of a range; whole numbers up to it are exact.
    static let largest = 1e15
}

/// The place of something in its file.
///
/// It is not part of its identity, so any two places are equal.
struct Origin: Hashable, Sendable {
    let place: Place

    init(_ place: Place) { self.place = place }

    static func == (first: Origin, second: Origin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
