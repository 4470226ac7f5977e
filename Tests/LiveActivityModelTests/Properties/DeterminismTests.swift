import Experiments
import Quantities
import Testing

@testable import LiveActivityModel

@Suite("Determinism, in random scenarios")
struct DeterminismTests {
    @Test("Two runs are equal, also when one runs in slices", arguments: 0..<50)
    func repeats(seed: UInt64) throws {
        let scenario = Scenario.random(seed: seed)
        let one = FinishedCell(try ScenarioLoader.world(scenario))
        let other = FinishedCell(try ScenarioLoader.world(scenario), slices: 13)
        #expect(one.measurements == other.measurements)
        #expect(one.fingerprint == other.fingerprint)
        #expect(one.story == other.story)
    }

    @Test("Another replication is another history")
    func replications() throws {
        let world = try ScenarioLoader.world(.random(seed: 3))
        #expect(FinishedCell(world).fingerprint != FinishedCell(world, replication: 1).fingerprint)
    }

    @Test("Watching a ride changes nothing, and the stories together tell of every push", arguments: 0..<50)
    func watching(seed: UInt64) throws {
        let world = try ScenarioLoader.world(.random(seed: seed))
        for cell in 0..<world.scenario.cells {
            let unwatched = FinishedCell(world, ride: nil, cell: cell)
            #expect(unwatched.story.isEmpty)
            var lines: [StoryLine] = []
            var rides: Int64 = 0
            var ride: UInt64 = 0
            while rides < unwatched[.ridesRequested] {
                let watched = FinishedCell(world, ride: ride, cell: cell)
                #expect(watched.measurements == unwatched.measurements)
                #expect(watched.fingerprint == unwatched.fingerprint)
                #expect(watched.story.isEmpty == (world.cell(ofRide: ride) != cell))
                #expect(zip(watched.story, watched.story.dropFirst()).allSatisfy { $0.at <= $1.at })
                lines += watched.story
                rides += watched.story.isEmpty ? 0 : 1
                ride += 1
            }
            func count(_ matches: (StoryLine.Happening) -> Bool) -> Int64 {
                Int64(lines.count { matches($0.happening) })
            }
            let sent = unwatched.sum(ConservationTests.sent)
            #expect(count { if case .sent = $0 { true } else { false } } == sent)
            #expect(
                count { if case .answered = $0 { true } else if case .unanswered = $0 { true } else { false } }
                    == sent - unwatched[.requestsCancelled]
            )
            #expect(
                count { if case .fate = $0 { true } else { false } }
                    == sent - unwatched.sum([.fateRefused, .fateNotAccepted, .fateCancelled])
            )
            #expect(count { $0 == .started } == unwatched[.activitiesStarted])
            #expect(count { $0 == .endReported } == unwatched.sum(ConservationTests.ends))
        }
    }
}
