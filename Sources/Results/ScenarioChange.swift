public import LiveActivityModel
import ScenarioLanguage

/// A value that differs between two scenarios.
public struct ScenarioChange: Hashable, Sendable {
    /// The keys and list indices that lead to the value, separated by dots.
    public let path: String
    /// The value in the first scenario, as in its resolved file; nil if it has none.
    public let first: String?
    /// The value in the second.
    public let second: String?

    /// `true` if it only changes when the content of a ride is refreshed.
    ///
    /// Refreshes are drawn separately from arrivals, stages and their lengths, so the rides stay the same, pair by
    /// pair.
    var isOfRefreshes: Bool { path.wholeMatch(of: /rides\.stages\.[0-9]+\.refresh(\..*)?/) != nil }

    /// `true` if the second world has other rides than the first, so that their counts are not comparable.
    var isOfRides: Bool {
        path == "cells" || (path == "rides" || path.hasPrefix("rides.")) && !isOfRefreshes
    }

    /// Returns all differences between two scenarios, with defaults filled in, in the order of the resolved file.
    ///
    /// Names, descriptions and the numbers of replications are left out, because they do not affect the simulation.
    public static func changes(from first: Scenario, to second: Scenario) -> [ScenarioChange] {
        func body(_ scenario: Scenario) -> Scenario {
            var scenario = scenario
            scenario.name = ""
            scenario.description = ""
            scenario.replications.count = 1
            scenario.replications.until = nil
            return scenario
        }
        return changes(WholeTables.scenario.write(body(first)), WholeTables.scenario.write(body(second)), path: "")
    }

    private static func changes(_ first: StructuredValue?, _ second: StructuredValue?, path: String) -> [Self] {
        guard first != second else { return [] }
        switch (first, second) {
        case (.mapping(let firstEntries, isCompact: false), .mapping(let secondEntries, isCompact: false)):
            let keys =
                firstEntries.map(\.key)
                + secondEntries.map(\.key)
                .filter { key in
                    !firstEntries.contains { $0.key == key }
                }
            return keys.flatMap { key in
                changes(
                    firstEntries.first { $0.key == key }?.value,
                    secondEntries.first { $0.key == key }?.value,
                    path: Reading.path(path, key)
                )
            }
        case (.list(let firstValues), .list(let secondValues)) where isOfSections(firstValues + secondValues):
            return (0..<max(firstValues.count, secondValues.count))
                .flatMap { index in
                    changes(
                        firstValues.indices.contains(index) ? firstValues[index] : nil,
                        secondValues.indices.contains(index) ? secondValues[index] : nil,
                        path: Reading.path(path, "\(index)")
                    )
                }
        default:
            return [ScenarioChange(path: path, first: first?.text, second: second?.text)]
        }
    }

    private static func isOfSections(_ values: [StructuredValue]) -> Bool {
        values.allSatisfy { value in
            if case .mapping(_, isCompact: false) = value { return true }
            return false
        }
    }
}

extension StructuredValue {
    /// The value on one line.
    fileprivate var text: String {
        switch self {
        case .mapping(let entries, isCompact: false):
            StructuredValue.mapping(entries, isCompact: true).yamlLines.joined(separator: " ")
        default: yamlLines.joined(separator: " ")
        }
    }
}
