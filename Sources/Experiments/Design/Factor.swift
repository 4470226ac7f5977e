internal import Foundation

/// What an experiment varies: a value of the scenario, by its path, and the levels that it takes.
///
/// Words are those of the design of experiments (D. C. Montgomery, Design and Analysis of Experiments).
public struct Factor: Hashable, Sendable {
    /// Keys and list indices with dots between them: `monitor.fresh_limit`.
    public let path: String
    /// What it may be.
    public let levels: Levels
    /// Where its path stands, for messages.
    let origin: Origin

    /// Single levels, or all between two.
    public enum Levels: Hashable, Sendable {
        /// These, in the order of the file.
        case listed([FactorLevel])
        /// All from one value to another.
        case range(FactorRange)
    }

    /// What the levels of a grid are called, in their order; empty for a range without steps.
    public var labels: [String] {
        if case .range(let range) = levels, range.steps == nil { return [] }
        return gridLevels.map(\.label)
    }

    /// The levels of a grid, in their order.
    ///
    /// - Precondition: A range says in how many steps it is walked.
    var gridLevels: [FactorLevel] {
        switch levels {
        case .listed(let levels): levels
        case .range(let range): range.gridLevels
        }
    }

    /// Whether it has more than one level.
    var differs: Bool {
        switch levels {
        case .listed(let levels): Set(levels.map(\.value)).count > 1
        case .range(let range): range.steps == nil || range.gridLevels.count > 1
        }
    }

    /// Returns the level with a label; of a range, and where no level has it, the level whose value it is.
    func level(called label: String) -> FactorLevel {
        if case .listed(let levels) = levels, let level = levels.first(where: { $0.label == label }) { return level }
        return FactorLevel(value: label, origin: origin)
    }

    /// The level that a number from 0 to just below 1 stands for.
    func level(at share: Double) -> FactorLevel {
        switch levels {
        case .listed(let levels): levels[min(levels.count - 1, Int(share * Double(levels.count)))]
        case .range(let range): range.level(at: share)
        }
    }

    /// Whether it is for those who build the system to choose, and not something that the world does to it.
    ///
    /// What the world does: rides, phones, APNs, faults. What is chosen: content, sender, monitor, how often a stage is
    /// refreshed, and the limits and expirations that the provider gives.
    public var isChoice: Bool {
        ["content", "sender", "monitor", "cells"].contains { Reading.isPath(path, within: $0) }
            || [
                "apns.expiration", "apns.end_expiration", "devices.initial_content_limit",
                "devices.stale_content_limit",
            ]
            .contains(path)
            || path.wholeMatch(of: /rides\.stages\.[0-9]+\.refresh(\..*)?/) != nil
    }
}

/// One value that a factor takes.
public struct FactorLevel: Hashable, Sendable {
    /// What it is called in tables and conditions: its name, or the value itself.
    public let label: String
    /// The value as YAML on one line.
    let value: String
    /// Where it stands, for messages.
    let origin: Origin
}

extension FactorLevel {
    /// A level that is called by its value.
    init(value: String, origin: Origin) {
        self.init(label: value, value: value, origin: origin)
    }
}

/// All values of a factor from one to another.
public struct FactorRange: Hashable, Sendable {
    /// How values are spread.
    public enum Scale: String, Hashable, Sendable, CaseIterable {
        /// By equal differences.
        case linear
        /// By equal ratios.
        case log
    }

    /// What is counted: it decides how values are rounded and written.
    enum Measure: Hashable, Sendable {
        /// Whole numbers.
        case integer
        /// Six significant digits.
        case number
        /// Six significant digits of the number before the sign.
        case percent
        /// Microseconds, milliseconds from a second on.
        case duration
    }

    /// The ends, in the measure's unit.
    let lower: Double
    let upper: Double
    let measure: Measure
    /// How values are spread.
    public let scale: Scale
    /// How many values a grid takes, both ends among them; nil for none.
    let steps: Int?
    /// Where it stands, for messages.
    let origin: Origin
    /// The ends as they were written.
    let ends: [String]

    var gridLevels: [FactorLevel] {
        guard let steps else { preconditionFailure("a grid walks a range in steps") }
        var levels: [FactorLevel] = []
        for step in 0..<steps {
            let level = level(at: steps == 1 ? 0 : Double(step) / Double(steps - 1))
            // Whole numbers may lie closer together than steps.
            if level.value != levels.last?.value { levels.append(level) }
        }
        return levels
    }

    /// The value so far between the ends, rounded, so that no processor's last bit of a logarithm shows.
    ///
    /// The ends themselves are as they were written, and no rounding leads beyond them.
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

    /// The number to as many places as the measure has.
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

    /// The largest number that a range may begin or end with; whole numbers up to it are exact.
    static let largest = 1e15
}

/// The place of something in its file: no part of what it is, so that any two are equal.
struct Origin: Hashable, Sendable {
    let place: Place

    init(_ place: Place) { self.place = place }

    static func == (first: Origin, second: Origin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
