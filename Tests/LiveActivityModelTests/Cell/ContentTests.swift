import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Content and payloads")
struct ContentTests {
    @Test("An end of the same instant or second as an update ends the activity", arguments: [0, 1])
    func endWithUpdate(resolution: Int64) throws {
        var scenario = Scenario.ride(100.25)
        scenario.content.timestampResolution = .seconds(resolution)
        scenario.update(at: resolution == 0 ? 100.25 : 100.125)
        #expect(try FinishedCell(scenario).log(.push).last == "100.25 end ended")
    }

    @Test("After one timestamp in milliseconds all later pushes appear older, even the end")
    func milliseconds() throws {
        var scenario = Scenario.ride(100).times(20)
        scenario.content.timestampInMilliseconds = Probability(0.4)
        scenario.update(at: 10, 20, 30, 40, 50)
        var frozen = 0
        for ride in UInt64(0)..<20 {
            let cell = try FinishedCell(scenario, ride: ride)
            let shown = cell.log(.push).map { $0.hasSuffix("shown") }
            // A timestamp far ahead is shown; an exact one is shown only before the first that is far ahead.
            guard let first = shown.firstIndex(of: false) else { continue }
            #expect(shown.prefix(first).allSatisfy { $0 })
            if cell.log(.push).last == "100 end older" {
                frozen += 1
                #expect(cell.log(.activity).contains("28800 ended: systemLimit"))
            }
        }
        #expect(frozen > 0)
    }

    // MARK: - The photo

    private static func photo(base: Double, ladder: Bool = true) -> Scenario {
        var scenario = Scenario.ride(10, 90)
        scenario.content.payload.bytes = .constant(base)
        scenario.content.payload.photoStage = "s1"
        scenario.content.payload.photoBytes = .constant(2000)
        scenario.content.payload.smallPhotoBytes = .constant(1000)
        scenario.content.payload.ladder = ladder
        scenario.update(at: 5, 20)
        return scenario
    }

    @Test(
        "The photo is sent once, shrunk or dropped until it fits",
        arguments: [
            (2096, Counter.photosSent), (2097, .photosShrunk), (3096, .photosShrunk), (3097, .photosDropped),
            (4096, .photosDropped),
        ]
    )
    func ladder(base: Double, counter: Counter) throws {
        let cell = try FinishedCell(Self.photo(base: base))
        for other in [Counter.photosSent, .photosShrunk, .photosDropped] {
            #expect(cell[other] == (other == counter ? 1 : 0))
        }
        #expect(
            cell.log(.push) == ["5 update shown", "10 update shown", "20 update shown", "100 end ended"]
        )
        #expect(cell[.responses413] == 0)
    }

    @Test(
        "Content that is itself over the limit is rejected, at exactly one byte over",
        arguments: [(4096, 0), (4097, 4)]
    )
    func tooLarge(bytes: Double, refused: Int64) throws {
        var scenario = Self.photo(base: bytes)
        scenario.content.payload.photoStage = ""
        #expect(try FinishedCell(scenario)[.responses413] == refused)
    }

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        With timestamps in whole seconds, the phone keeps the first update of each second
            content.timestamp_resolution=1s; content.updates_at=[0.5s, 10.2s, 10.7s, 11s]
            push: 0.5 update older; 10.2 update shown; 10.7 update older; 11 update shown; 100 end ended

        # The seconds 10, 11, 12, 13 and 14: the server's timestamps run ahead of the clock.
        If the server makes timestamps increase, every update is shown
            content.timestamp_resolution=1s; content.timestamps_rise=true
            content.updates_at=[10.2s, 10.7s, 10.8s, 11s, 12.5s]
            push: 10.2 update shown; 10.7 update shown; 10.8 update shown; 11 update shown; 12.5 update shown
            100 end ended

        An app that cannot decode updates keeps its screen and can still be ended
            content.undecodable=1; content.updates_at=[10s]
            push: 10 update undecodable; 100 end ended
            values: displayedFreshTime 60s; responsesAccepted 2

        While the server has no content it sends none, and resumes afterwards
            content.updates_at=[10s, 20s, 30s]; faults.0={kind: content_down, at: 15s, duration: 15s}
            push: 10 update shown; 30 update shown; 100 end ended
            has: 20 update not sent: noContent
            values: pushesWithoutContent 1

        A postponed change is not announced if the ride is over by then
            rides.stages=[{name: s0, duration: 20s}, {name: s1, duration: 3s}]; sender.minimum_interval=15s
            content.updates_at=[10s]
            push: 10 update shown; 23 end ended

        Updates too soon after the previous one are dropped; those at the exact interval are sent
            sender.minimum_interval=15s; content.updates_at=[10s, 20s, 24.999999s, 25s, 41s]
            push: 10 update shown; 25 update shown; 41 update shown; 100 end ended
            values: pushesWithinMinimumInterval 2

        Without the ladder APNs rejects payloads that are too large
            rides.stages=[{name: s0, duration: 10s}, {name: s1, duration: 90s}]
            content.payload={bytes: 2097, photo_stage: s1, photo_bytes: 2000, small_photo_bytes: 1000, ladder: false}
            content.updates_at=[5s, 20s]
            push: 5 update shown; 20 update shown; 100 end ended
            has: 10 refused update: 413
            values: responses413 1; fateRefused 1

        # The update of 5 holds the stream until 12; the announcement of 10, with the photo, waits and is replaced at
        # 11.
        An update that replaces a waiting one takes over its photo
            rides.stages=[{name: s0, duration: 10s}, {name: s1, duration: 90s}]
            content.payload={bytes: 2097, photo_stage: s1, photo_bytes: 2000, small_photo_bytes: 1000, ladder: false}
            content.updates_at=[5s, 11s]; sender={streams: 1, coalesce: true, request_time: 7s}
            has: 11 update not sent: coalesced; 19 refused update: 413
            values: photosSent 1

        A photo whose update the full queue has dropped is sent with the next
            rides.stages=[{name: s0, duration: 10s}, {name: s1, duration: 90s}]; content.updates_at=[5s, 20s]
            content.payload={bytes: 1000, photo_stage: s1, photo_bytes: 2000, small_photo_bytes: 1000}
            sender={streams: 1, queue_limit: 0, request_time: 7s}
            has: 10 update not sent: queueFull
            values: photosSent 1

        The photo with the next update counts for the limit of payloads
            rides.stages=[{name: s0, duration: 10s}, {name: s1, duration: 90s}]; content.updates_at=[5s, 20s]
            content.payload={bytes: 3000, photo_stage: s1, photo_bytes: 2000, small_photo_bytes: 1000, ladder: false}
            sender={streams: 1, queue_limit: 0, request_time: 7s}
            has: 27 refused update: 413

        Content without a stale date never becomes stale on the screen
            rides.stages.0.duration=300s; content.stale_date_missing=1; content.updates_at=[10s]
            values: displayedStaleTime 0

        Content with a stale date becomes stale on the screen
            rides.stages.0.duration=300s; content.updates_at=[10s]
            values: displayedStaleTime 230s

        # No screen has shown the stage of three seconds; the next one is announced two seconds late.
        A stage change too soon after an update is postponed to the end of the interval, and announced once
            rides.stages=[{name: s0, duration: 20s}, {name: s1, duration: 3s}, {name: s2, duration: 77s}]
            sender.minimum_interval=15s; content.updates_at=[10s, 24s]
            push: 10 update shown; 25 update shown; 100 end ended
            has: 20 state change put off until 25
            values: pushesWithinMinimumInterval 0; pushesOffered 3
            parts: stageLag 0 3s 2s; stagesNeverShown 0 1 0
        """
    )
}
