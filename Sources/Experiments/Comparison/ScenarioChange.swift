public import LiveActivityModel

/// A value that one scenario states otherwise than another.
public struct ScenarioChange: Hashable, Sendable {
    /// Keys and places of lists with dots between them.
    public let path: String
    /// The value in the first scenario, as in its resolved file; nil where it has none.
    public let first: String?
    /// The value in the second.
    public let second: String?

    /// Whether it is only about when the content of a ride is refreshed.
    ///
    /// Refreshes are drawn apart from arrivals, stages and their lengths, so the rides stay the same, pair by pair.
    var isOfRefreshes: Bool { path.wholeMatch(of: /rides\.stages\.[0-9]+\.refresh(\..*)?/) != nil }

    /// Whether the second world has other rides than the first, so that a count of either says nothing of the other.
    var isOfRides: Bool {
        path == "cells" || (path == "rides" || path.hasPrefix("rides.")) && !isOfRefreshes
    }

    /// Everything in which two scenarios differ, defaults filled in, in the order of the resolved file.
    ///
    /// Names, descriptions and the numbers of replications are left out: they are no part of what is simulated.
    public static func changes(from first: Scenario, to second: Scenario) -> [ScenarioChange] {
        func body(_ scenario: Scenario) -> Scenario {
            var scenario = scenario
            scenario.name = ""
            scenario.description = ""
            scenario.replications.count = 1
            scenario.replications.until = nil
            return scenario
        }
        return changes(Section.scenario.write(body(first)), Section.scenario.write(body(second)), path: "")
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
