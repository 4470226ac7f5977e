import Experiments
import LiveActivityModel
import Quantities

/// Nothing is lost: pushes offered are sent or kept or turned away, pushes sent have one fate each, times add up, exactly.
struct ConservationLaws {
    /// The scenario of a number.
    var scenario: @Sendable (UInt64) -> Scenario = { .varied($0) }
    /// How many scenarios.
    var count = 64

    func finding(jobs: Int) async throws -> Finding {
        let scenario = scenario
        let runs = try await concurrently(count, jobs: jobs) { number in
            let scenario = scenario(UInt64(number))
            let world = try ScenarioLoader.world(scenario)
            let run = Estimator.measurements(of: world, seed: scenario.seed, replication: 0)
            return (
                violations: ConservationLaws.violations(of: run).map { "scenario \(number): \($0)" },
                sent: ConservationLaws.sum(run, ConservationLaws.sent)
            )
        }
        return Finding(
            violations: runs.flatMap(\.violations),
            of: "\(count) scenarios with \(runs.reduce(0) { $0 + $1.sent }) pushes"
        )
    }

    static let sent: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]
    static let fates: [Counter] = [
        .fateShown, .fateEnded, .fateStarted, .fateOlder, .fateThrottled, .fateUndecodable, .fateLost, .fateDeadToken,
        .fateAfterEnd, .fateReplacedInStore, .fateExpired, .fateNotStored, .fateStartIgnored, .fateRefused,
        .fateNotAccepted, .fateCancelled, .inFlightAtHorizon,
    ]
    static let unsent: [Counter] = [
        .pushesCoalesced, .pushesOverQueueLimit, .pushesDisplaced, .pushesRateLimited, .pushesOutOfPatience,
        .pushesWithinMinimumInterval, .pushesAbandonedUnsent, .queuedAtHorizon, .inOrbitAtHorizon,
    ]

    private static func sum(_ run: Measurements, _ counters: [Counter]) -> Int64 {
        counters.reduce(0) { $0 + run[$1] }
    }

    /// What does not add up in a run without a warm-up.
    static func violations(of run: Measurements) -> [String] {
        let times = run.times
        let balances: [(what: String, one: Int64, other: Int64)] = [
            ("fates and pushes sent", sum(run, fates), sum(run, sent)),
            ("pushes offered and what became of them", run[.pushesOffered], sum(run, sent + unsent)),
            ("classes and monitored time", times.fresh + times.recoverable + times.severe, times.monitored),
            ("fresh, stale and displayed time", times.displayedFresh + times.displayedStale, times.displayed),
            ("stages and displayed time", run.stages.reduce(0) { $0 + $1.displayed }, times.displayed),
            ("lives and displayed time", times.population, times.displayed),
        ]
        return balances.filter { $0.one != $0.other }.map { "\($0.what): \($0.one) and \($0.other)" }
    }
}

extension Scenario {
    /// An eventful scenario of which about half is left, by the bits of a number; every other one is cut off in the middle.
    static func varied(_ number: UInt64) -> Scenario {
        func has(_ feature: UInt64) -> Bool { number >> feature & 1 == 0 }
        var scenario = eventful
        scenario.seed = number
        if !has(0) { scenario.clock.drain = .zero }
        if !has(1) { scenario.sender.streams = 1000 }
        if !has(2) { scenario.sender.attempts = 1 }
        if !has(3) { scenario.sender.coalesce = true }
        if !has(4) { scenario.devices.connectivity.online = nil }
        if !has(5) { scenario.faults = [] }
        return scenario
    }
}
