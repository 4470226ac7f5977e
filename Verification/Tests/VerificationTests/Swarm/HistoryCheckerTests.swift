import FreshnessCore
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel
@testable import Verification

@Suite("History checker: correct stories pass, and each error is found")
struct HistoryCheckerTests {
    /// One ride of two stages with a refresh, which becomes stale and recovers by a retry.
    private static func scenario(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(1)
        scenario.clock.drain = .hours(13)
        scenario.rides.arrivals.process = .even
        scenario.rides.stages = [
            Scenario.Stage(name: "a", duration: .constant(400e6)),
            Scenario.Stage(name: "b", duration: .constant(100e6)),
        ]
        scenario.devices.initialContentLimit = nil
        scenario.content.ttl = .minutes(1)
        scenario.content.updatesAt = [.seconds(10)]
        scenario.monitor.freshLimit = .zero
        scenario.monitor.feedback = .delivery
        scenario.monitor.retry.maxAttempts = 1
        change(&scenario)
        return scenario
    }

    private static func run(_ scenario: Scenario) throws -> (stories: [StoryLine], run: Measurements) {
        var cell = CellSimulation(world: try ScenarioLoader.world(scenario), cell: 0, replication: 0, watch: .all)
        _ = cell.run(through: .never)
        cell.finish()
        return (cell.story, cell.measurements)
    }

    private static func violations(
        of scenario: Scenario = scenario(),
        judgedAs other: Scenario? = nil,
        _ lie: (inout [StoryLine]) -> Void = { _ in }
    ) throws -> [String] {
        var (stories, run) = try run(scenario)
        lie(&stories)
        return HistoryChecker.violations(of: stories, run: run, scenario: other ?? scenario)
    }

    @Test("A correct story passes")
    func truth() throws {
        #expect(try Self.violations() == [])
    }

    @Test("A missing line is detected", arguments: [StoryLine.Happening.tokenPosted, .started, .endReported])
    func missing(happening: StoryLine.Happening) throws {
        #expect(try !Self.violations { $0.removeAll { $0.happening == happening } }.isEmpty)
    }

    @Test("A repeated line is detected")
    func twice() throws {
        let stories = try Self.run(Self.scenario()).stories
        for index in stories.indices {
            let happening = stories[index].happening
            switch happening {
            case .confirmed, .queued, .tokenPosted, .tokenYielded, .classified(.fresh), .tokenInvalidated: continue
            default: break
            }
            let found = try Self.violations { $0.insert($0[index], at: index) }
            #expect(!found.isEmpty, "\(happening)")
        }
    }

    @Test("Time that goes backwards is detected")
    func time() throws {
        #expect(try Self.violations { $0.swapAt(0, $0.count - 1) }.contains { $0.contains("time went back") })
    }

    @Test("A policy other than the actual one is detected")
    func policy() throws {
        let more = Self.scenario { $0.monitor.retry.maxAttempts = 3 }
        let late = Self.scenario { $0.monitor.freshLimit = .seconds(5) }
        let brief = Self.scenario { $0.monitor.recoveryWindow = .seconds(1) }
        let lossy = Self.scenario {
            $0.apns.loss = .always
            $0.monitor.retry.maxAttempts = 3
        }
        #expect(try Self.violations(of: more, judgedAs: late).contains { $0.contains("content lapses at") })
        #expect(try Self.violations(of: lossy, judgedAs: Self.scenario()).contains { $0.contains("at most 1 retries") })
        #expect(try Self.violations(of: lossy, judgedAs: brief).contains { $0.contains("recovery window ends") })
    }

    @Test("A screen that changes to older content is detected")
    func older() throws {
        let found = try Self.violations { lines in
            guard let shown = lines.firstIndex(where: { $0.happening == .fate(.update, .shown) }) else { return }
            let old = StoryLine(
                ride: 0,
                at: lines[shown].at,
                happening: .fate(.update, .shown),
                belief: lines[shown].belief,
                screen: .content(ContentStamp(generatedAt: Instant(microseconds: -1), staleDate: .never))
            )
            lines[shown] = old
        }
        #expect(found.contains { $0.contains("a screen shows only newer content") })
    }
}
