import LifecycleTraces
import ScenarioLanguage
import Testing

@testable import LiveActivityModel

/// Histories of a ride in a cell; see ``Scenario/ride(_:)``.
///
/// Settings are those of a scenario file, and some words: `watched` turns the monitor on, `ride=1` selects the ride,
/// `without=queued` leaves out the lines with that word. Logs are named by their topics: `token+push: 0 token posted`.
/// `has` lists some lines of the story, `values` lists measurements in microseconds or [s], and `parts` lists those of
/// each part.
extension History {
    private static let scenario = """
        clock: {duration: 1s, drain: 12h}
        rides: {arrivals: {process: even}, stages: [{name: s0, duration: 100s}]}
        content: {ttl: 1m}
        devices: {initial_content_limit: off}
        monitor: {enabled: false}
        """

    private static let watched = [
        "monitor.enabled=true", "monitor.fresh_limit=0s", "monitor.recovery_window=100s",
        "monitor.retry.max_attempts=100", "monitor.end_schedule=[0s]",
    ]

    /// Runs a cell, and compares its story and its measurements.
    func expectInCell() throws {
        // A misspelt word would leave the history without a check.
        try #require(!logs.isEmpty && settings.allSatisfy { $0.contains("=") || $0 == "watched" })
        let isWatched = settings.contains("watched")
        let changes = settings.filter { $0.contains("=") && !$0.hasPrefix("ride=") && !$0.hasPrefix("without=") }
        let loaded = try ScenarioReader.read(
            yaml: Self.scenario,
            named: name,
            settings: (isWatched ? Self.watched : []) + changes
        )
        let cell = try FinishedCell(loaded.scenario, ride: UInt64(self[setting: "ride"]) ?? 0)
        for (word, expected) in logs {
            switch word {
            case "has":
                for line in expected { #expect(cell.log().contains(line)) }
            case "values":
                for value in expected {
                    let words = value.split(separator: " ")
                    #expect(try cell.value(words[0]) == Self.number(words[1]), "\(words[0])")
                }
            case "parts":
                for value in expected {
                    let words = value.split(separator: " ")
                    #expect(try cell.parts(words[0]) == words.dropFirst().map(Self.number), "\(words[0])")
                }
            default:
                let words = word == "log" ? [] : word.split(separator: "+")
                let topics = try words.map { try #require(StoryLine.Topic(rawValue: "\($0)")) }
                let omitted = self[setting: "without"]
                let log = cell.log(topics).filter { omitted.isEmpty || !$0.contains(omitted) }
                #expect(difference(from: log, expected: expected == ["none"] ? [] : expected) == nil, "\(word)")
            }
        }
    }
}

extension History {
    /// Reads a count, or a time in seconds as microseconds.
    fileprivate static func number(_ text: Substring) throws -> Int64 {
        try #require(Int64(text.prefix(while: \.isNumber))) * (text.last == "s" ? 1_000_000 : 1)
    }
}

extension FinishedCell {
    /// Returns the parts of a total, or the sums of an observation, by their name in the source.
    fileprivate func parts(_ name: Substring) -> [Int64]? {
        if let total = Total.allCases.first(where: { "\($0)" == name }) { return measurements.parts(of: total) }
        return Observation.allCases.first { "\($0)" == name }.map { measurements.parts(of: $0).map(\.sum) }
    }

    /// Returns a measurement by its name in the source; nil if there is none.
    fileprivate func value(_ name: Substring) -> Int64? {
        let (name, part) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
        switch (name, part) {
        case ("leftOver", ""): return leftOver == .init() ? 0 : 1
        case ("leftOver", ".pushes"): return Int64(leftOver.pushes)
        case ("leftOver", ".activities"): return Int64(leftOver.activities)
        default: break
        }
        if let counter = Counter.allCases.first(where: { "\($0)" == name }) { return measurements[counter] }
        if let total = Total.allCases.first(where: { "\($0)" == name }) { return measurements[total] }
        if let column = SeriesColumn.allCases.first(where: { "\($0)" == name }) { return measurements.time(column) }
        guard let observation = Observation.allCases.first(where: { "\($0)" == name }) else { return nil }
        let tally = measurements[observation]
        return part == ".sum" ? tally.sum : part == ".largest" ? tally.largest : tally.count
    }
}
