import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Content and payloads")
struct ContentTests {
    @Test("Content without a stale date never becomes stale on the screen", arguments: [(true, 0), (false, 230)])
    func staleDateMissing(isMissing: Bool, staleSeconds: Int64) throws {
        var scenario = Scenario.ride(300)
        scenario.content.staleDateMissing = isMissing ? .always : .never
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario).measurements.time(.displayedStaleTime) == staleSeconds * 1_000_000)
    }

    @Test("With timestamps in whole seconds, the phone keeps the first update of each second")
    func wholeSeconds() throws {
        var scenario = Scenario.ride(100)
        scenario.content.timestampResolution = .seconds(1)
        scenario.update(at: 0.5, 10.2, 10.7, 11)
        #expect(
            try FinishedCell(scenario).log(.push) == [
                "0.5 update older", "10.2 update shown", "10.7 update older", "11 update shown", "100 end ended",
            ]
        )
    }

    @Test("If the server makes timestamps increase, every update is shown")
    func risingTimestamps() throws {
        var scenario = Scenario.ride(100)
        scenario.content.timestampResolution = .seconds(1)
        scenario.content.timestampsRise = true
        scenario.update(at: 10.2, 10.7, 10.8, 11, 12.5)
        // The seconds 10, 11, 12, 13 and 14: the server's timestamps run ahead of the clock.
        #expect(
            try FinishedCell(scenario).log(.push) == [
                "10.2 update shown", "10.7 update shown", "10.8 update shown", "11 update shown", "12.5 update shown",
                "100 end ended",
            ]
        )
    }

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

    @Test("An app that cannot decode updates keeps its screen and can still be ended")
    func undecodable() throws {
        var scenario = Scenario.ride(100)
        scenario.content.undecodable = .always
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["10 update undecodable", "100 end ended"])
        #expect(cell.measurements.time(.displayedFreshTime) == 60_000_000)
        #expect(cell[.responsesAccepted] == 2)
    }

    @Test("While the server has no content it sends none, and resumes afterwards")
    func contentDown() throws {
        var scenario = Scenario.ride(100)
        scenario.update(at: 10, 20, 30)
        scenario.fail(.contentDown, from: 15, to: 30)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["10 update shown", "30 update shown", "100 end ended"])
        #expect(cell.log(.request).contains("20 update not sent: noContent"))
        #expect(cell[.pushesWithoutContent] == 1)
    }

    @Test("A stage change too soon after an update is postponed to the end of the interval, and announced once")
    func stateChangeWithinMinimumInterval() throws {
        var scenario = Scenario.ride(20, 3, 77)
        scenario.sender.minimumInterval = .seconds(15)
        scenario.update(at: 10, 24)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["10 update shown", "25 update shown", "100 end ended"])
        #expect(cell.log(.request).contains("20 state change put off until 25"))
        #expect(cell[.pushesWithinMinimumInterval] == 0)
        #expect(cell[.pushesOffered] == 3)
        // No screen has shown the stage of three seconds; the next one is announced two seconds late.
        #expect(cell.measurements.parts(of: .stageLag).map(\.sum) == [0, 3_000_000, 2_000_000])
        #expect(cell.measurements.parts(of: .stagesNeverShown) == [0, 1, 0])
    }

    @Test("A postponed change is not announced if the ride is over by then")
    func rideOverWithinMinimumInterval() throws {
        var scenario = Scenario.ride(20, 3)
        scenario.sender.minimumInterval = .seconds(15)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario).log(.push) == ["10 update shown", "23 end ended"])
    }

    @Test("Updates too soon after the previous one are dropped; those at the exact interval are sent")
    func minimumInterval() throws {
        var scenario = Scenario.ride(100)
        scenario.sender.minimumInterval = .seconds(15)
        scenario.update(at: 10, 20, 24.999999, 25, 41)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.push) == ["10 update shown", "25 update shown", "41 update shown", "100 end ended"]
        )
        #expect(cell[.pushesWithinMinimumInterval] == 2)
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

    @Test("Without the ladder APNs rejects payloads that are too large")
    func noLadder() throws {
        let cell = try FinishedCell(Self.photo(base: 2097, ladder: false))
        #expect(cell.log(.push) == ["5 update shown", "20 update shown", "100 end ended"])
        #expect(cell.log(.request).contains("10 refused update: 413"))
        #expect(cell[.responses413] == 1)
        #expect(cell[.fateRefused] == 1)
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

    @Test("An update that replaces a waiting one takes over its photo")
    func coalescedPhoto() throws {
        var scenario = Self.photo(base: 2097, ladder: false)
        scenario.sender.streams = 1
        scenario.sender.coalesce = true
        scenario.sender.requestTime = .seconds(7)
        scenario.update(at: 5, 11)
        // The update of 5 holds the stream until 12; the announcement of 10, with the photo, waits and is replaced at
        // 11.
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).contains("11 update not sent: coalesced"))
        #expect(cell.log(.request).contains("19 refused update: 413"))
        #expect(cell[.photosSent] == 1)
    }

    @Test("A photo whose update the full queue has dropped is sent with the next")
    func droppedPhoto() throws {
        var scenario = Self.photo(base: 1000)
        scenario.sender.streams = 1
        scenario.sender.queueLimit = 0
        scenario.sender.requestTime = .seconds(7)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).contains("10 update not sent: queueFull"))
        #expect(cell[.photosSent] == 1)
        scenario.content.payload.ladder = false
        scenario.content.payload.bytes = .constant(3000)
        #expect(try FinishedCell(scenario).log(.request).contains("27 refused update: 413"))
    }
}
