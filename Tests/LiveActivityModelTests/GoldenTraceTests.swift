import Experiments
import FreshnessCore
import LiveActivityModel
import Quantities
import RandomStreams
import Testing

/// The golden lives of one instance, run by the whole model rather than by the core alone.
///
/// They settle every boundary and tie: deliveries come before regular updates, those before the monitor, and equals in the
/// order in which they were created. Times are in milliseconds.
@Suite("Golden traces through the whole model")
struct GoldenTraceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var ttl: Int64
        var limit: Int64
        var window: Int64
        var retries: [Int64]
        var ends: [Int64]
        var updates: [Int64]
        var outcomes: [Scenario.ScriptedOutcome]
        var until: Int64
        var log: [String]
        var staleMilliseconds: Int64
    }

    static let cases = [
        Case(
            testDescription: "recovers on the second retry",
            ttl: 60_000,
            limit: 30_000,
            window: 60_000,
            retries: [0, 10_000, 30_000],
            ends: [0, 5000, 15_000],
            updates: [30_000],
            outcomes: [.lost, .lost, .delivered(after: .milliseconds(1500))],
            until: 110_000,
            log: [
                "0 start", "30000 send update", "90000 class stale", "90000 send retry", "100000 send retry",
                "101500 shown retry", "101500 class fresh",
            ],
            staleMilliseconds: 11_500
        ),
        Case(
            testDescription: "severe, then the end is lost once",
            ttl: 60_000,
            limit: 30_000,
            window: 60_000,
            retries: [0, 10_000, 30_000],
            ends: [0, 5000, 15_000],
            updates: [],
            outcomes: [.lost, .lost, .lost, .lost, .delivered(after: .milliseconds(800))],
            until: 300_000,
            log: [
                "0 start", "90000 class stale", "90000 send retry", "100000 send retry", "120000 send retry",
                "150000 class severe", "150000 send end", "155000 send end", "155800 token-invalidated",
            ],
            staleMilliseconds: 60_000
        ),
        Case(
            testDescription: "a delivery exactly at the limit",
            ttl: 60_000,
            limit: 30_000,
            window: 60_000,
            retries: [0, 10_000],
            ends: [0],
            updates: [89_000],
            outcomes: [.delivered(after: .milliseconds(1000))],
            until: 100_000,
            log: ["0 start", "89000 send update", "90000 shown update"],
            staleMilliseconds: 0
        ),
        Case(
            testDescription: "410 on the first retry",
            ttl: 60_000,
            limit: 0,
            window: 60_000,
            retries: [0, 10_000],
            ends: [0],
            updates: [],
            outcomes: [.tokenDead(after: .milliseconds(200))],
            until: 300_000,
            log: ["0 start", "60000 class stale", "60000 send retry", "60200 token-dead"],
            staleMilliseconds: 200
        ),
        Case(
            testDescription: "an older update arrives after a newer one",
            ttl: 60_000,
            limit: 30_000,
            window: 60_000,
            retries: [0],
            ends: [0],
            updates: [10_000, 20_000],
            outcomes: [.delivered(after: .milliseconds(25_000)), .delivered(after: .milliseconds(500))],
            until: 60_000,
            log: [
                "0 start", "10000 send update", "20000 send update", "20500 shown update", "35000 ignored-older update",
            ],
            staleMilliseconds: 0
        ),
        Case(
            testDescription: "a delivery that is stale already does not end the episode",
            ttl: 45_000,
            limit: 15_000,
            window: 90_000,
            retries: [0, 20_000, 60_000],
            ends: [0, 7000],
            updates: [5000],
            outcomes: [.delivered(after: .milliseconds(62_000)), .lost, .delivered(after: .milliseconds(3000))],
            until: 200_000,
            log: [
                "0 start", "5000 send update", "60000 class stale", "60000 send retry", "67000 shown update",
                "80000 send retry", "83000 shown retry", "83000 class fresh", "140000 class stale",
                "140000 send retry", "160000 send retry", "200000 send retry",
            ],
            staleMilliseconds: 83_000
        ),
        Case(
            testDescription: "a delivery at the severe instant wins the tie",
            ttl: 45_000,
            limit: 15_000,
            window: 40_000,
            retries: [0, 20_000],
            ends: [0],
            updates: [],
            outcomes: [.lost, .delivered(after: .milliseconds(20_000))],
            until: 130_000,
            log: [
                "0 start", "60000 class stale", "60000 send retry", "80000 send retry", "100000 shown retry",
                "100000 class fresh",
            ],
            staleMilliseconds: 40_000
        ),
        Case(
            testDescription: "a late update after the decision to end, and three ends",
            ttl: 45_000,
            limit: 15_000,
            window: 40_000,
            retries: [0, 20_000],
            ends: [0, 7000, 21_000],
            updates: [],
            outcomes: [
                .delivered(after: .milliseconds(55_000)), .lost, .lost, .lost, .delivered(after: .milliseconds(900)),
            ],
            until: 300_000,
            log: [
                "0 start", "60000 class stale", "60000 send retry", "80000 send retry", "100000 class severe",
                "100000 send end", "107000 send end", "115000 late retry", "121000 send end",
                "121900 token-invalidated",
            ],
            staleMilliseconds: 40_000
        ),
        Case(
            testDescription: "two episodes, then the token dies during the end",
            ttl: 30_000,
            limit: 10_000,
            window: 25_000,
            retries: [0, 6000, 12_000],
            ends: [0, 4000, 9000],
            updates: [12_000, 24_000],
            outcomes: [
                .delivered(after: .milliseconds(300)), .lost, .lost, .delivered(after: .milliseconds(700)), .lost,
                .lost,
                .lost, .lost, .tokenDead(after: .milliseconds(150)),
            ],
            until: 300_000,
            log: [
                "0 start", "12000 send update", "12300 shown update", "24000 send update", "52000 class stale",
                "52000 send retry", "58000 send retry", "58700 shown retry", "58700 class fresh", "98000 class stale",
                "98000 send retry", "104000 send retry", "110000 send retry", "123000 class severe", "123000 send end",
                "127000 send end", "127150 token-dead",
            ],
            staleMilliseconds: 31_700
        ),
        Case(
            testDescription: "a retry is in flight when a regular update lands",
            ttl: 30_000,
            limit: 10_000,
            window: 60_000,
            retries: [0, 5000, 10_000],
            ends: [0],
            updates: [44_000, 60_000],
            outcomes: [
                .delivered(after: .milliseconds(30_000)), .delivered(after: .milliseconds(2000)), .lost,
                .delivered(after: .milliseconds(100)),
            ],
            until: 125_000,
            log: [
                "0 start", "40000 class stale", "40000 send retry", "44000 send update", "45000 send retry",
                "46000 shown update", "46000 class fresh", "60000 send update", "60100 shown update",
                "70000 ignored-older retry", "100000 class stale", "100000 send retry", "105000 send retry",
                "110000 send retry",
            ],
            staleMilliseconds: 31_000
        ),
    ]

    @Test("Logs and stale times agree to the microsecond", arguments: cases)
    func agrees(_ trace: Case) throws {
        var cell = CellSimulation(
            world: try ScenarioLoader.world(scenario(trace)),
            cell: 0,
            replication: 0,
            watch: .ride(0)
        )
        _ = cell.run(through: .never)
        cell.finish()
        #expect(log(cell.story) == trace.log)
        #expect(cell.measurements.times.recoverable == trace.staleMilliseconds * 1000)
    }

    private func scenario(_ trace: Case) -> Scenario {
        var scenario = Scenario()
        // The instant at which the run ends still belongs to it.
        scenario.clock.duration = .milliseconds(trace.until)
        scenario.rides.arrivals.process = .even
        scenario.rides.stages = [.init(name: "ride", duration: .constant(1e12))]
        scenario.content.ttl = .milliseconds(trace.ttl)
        scenario.content.updatesAt = trace.updates.map { .milliseconds($0) }
        scenario.devices.initialContentLimit = nil
        scenario.apns.script = trace.outcomes
        scenario.monitor.feedback = .delivery
        scenario.monitor.freshLimit = .milliseconds(trace.limit)
        scenario.monitor.recoveryWindow = .milliseconds(trace.window)
        scenario.monitor.retry.schedule = trace.retries.map { .milliseconds($0) }
        scenario.monitor.endSchedule = trace.ends.map { .milliseconds($0) }
        return scenario
    }

    /// The story in the words of the traces.
    private func log(_ story: [StoryLine]) -> [String] {
        var lines: [String] = []
        for (index, line) in story.enumerated() {
            let words: String? =
                switch line.happening {
                case .started: "start"
                case .sent(let kind, _): "send \(kind)"
                case .classified(.recoverable): "class stale"
                case .classified(.severe): "class severe"
                case .fate(let kind, .shown):
                    confirmation(after: index, in: story) == .late ? "late \(kind)" : "shown \(kind)"
                case .fate(let kind, .older): "ignored-older \(kind)"
                case .confirmed(.recovered): "class fresh"
                case .tokenInvalidated: "token-invalidated"
                case .tokenDiscarded: "token-dead"
                default: nil
                }
            if let words {
                lines.append("\(line.at.microseconds / 1000) \(words)")
                #expect(line.at.microseconds % 1000 == 0)
            }
        }
        return lines
    }

    private func confirmation(after index: Int, in story: [StoryLine]) -> InstanceFreshness.Confirmation? {
        guard index + 1 < story.count, case .confirmed(let confirmation) = story[index + 1].happening else {
            return nil
        }
        return confirmation
    }
}
