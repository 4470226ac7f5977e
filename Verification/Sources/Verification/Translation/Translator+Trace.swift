import InputFiles
import LiveActivityModel
import Quantities
import ScenarioLanguage

/// The life of one instance in a scripted network, with its expected events, line by line.
struct GoldenTrace: Sendable {
    /// The scenario with the script.
    var scenario: Scenario
    /// The expected events in words, prefixed by the time in milliseconds.
    var log: [String]
    /// The time for which the instance is stale but recoverable [ms].
    var staleMilliseconds: Int64
    /// The final state of the instance.
    var final: String
}

extension Translator {
    mutating func trace(_ known: Case) -> Translation {
        guard model == "lifecycle_trace" else { return unknownModel }
        guard quantity == "log" else { return unknownQuantity }
        if parameters.has("name") { _ = parameters.word("name") }
        let anyTime = 0.0...1e9
        var scenario = scenario(
            "trace",
            [
                .time("TTL", \.content.ttl, in: anyTime), .times("updates", \.content.updatesAt),
                .time("S", \.monitor.freshLimit, in: anyTime), .time("V", \.monitor.recoveryWindow, in: anyTime),
                .attempts(at: "retry_offsets"), .times("end_offsets", \.monitor.endSchedule),
                .time("until", \.clock.duration, in: anyTime),
            ],
            in: .millisecond
        )
        scenario.rides.arrivals.process = .even
        scenario.apns.script = outcomes("outcomes")
        // The last instant of the run is part of it.
        scenario.setLength(scenario.clock.duration)
        guard let trace = expected(known.exact, scenario) else {
            return .notExpressible("exact must hold log, stale_ms and final")
        }
        return .trace(trace)
    }

    /// The maximum latency of a response [ms].
    private static let latencies: ClosedRange<Int64> = 0...1_000_000_000

    /// Reads `["lost"]`, `["ok", 1500]` and `["410", 200]`: the fates of the pushes in sending order.
    private mutating func outcomes(_ key: String) -> [Scenario.ScriptedOutcome] {
        parameters.list(key)
            .compactMap { node in
                let words = node.list?.compactMap(\.scalar) ?? []
                let latency = words.count == 2 ? NumberText.number(words[1]).flatMap(Int64.init(exactly:)) : nil
                switch (words.first, latency) {
                case ("lost", _): return .lost
                case ("ok", let latency?) where Self.latencies.contains(latency):
                    return .delivered(after: .milliseconds(latency))
                case ("410", let latency?) where Self.latencies.contains(latency):
                    return .tokenDead(after: .milliseconds(latency))
                default:
                    parameters.refuse(node, #"must hold ["lost"], ["ok", 1500] or ["410", 200]"#, key: key)
                    return nil
                }
            }
    }

    private func expected(_ exact: ScenarioNode, _ scenario: Scenario) -> GoldenTrace? {
        func member(_ key: String) -> ScenarioNode? { exact.mapping?.first { $0.key == key }?.value }
        guard let log = member("log")?.list, let final = member("final")?.scalar,
            let stale = member("stale_ms")?.scalar.flatMap(NumberText.number).flatMap(Int64.init(exactly:)),
            (0...1_000_000_000_000).contains(stale)
        else { return nil }
        return GoldenTrace(
            scenario: scenario,
            log: log.map { line in (line.list ?? []).compactMap(\.scalar).joined(separator: " ") },
            staleMilliseconds: stale,
            final: final
        )
    }
}
