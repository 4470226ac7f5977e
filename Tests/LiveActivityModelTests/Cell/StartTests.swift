import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Starts, by the app and by push")
struct StartTests {
    // MARK: - By the app

    @Test("The app starts the activity after its time; the token follows, and the end with the ride")
    func everythingWorks() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.start.time = .seconds(2)
        scenario.devices.token.delay = .seconds(0.5)
        scenario.devices.token.post = .seconds(0.25)
        scenario.sender.requestTime = .seconds(1)
        scenario.apns.latency = .seconds(3)
        scenario.devices.endReport = .seconds(4)
        #expect(
            try FinishedCell(scenario).log() == [
                "0 requested", "0 stage 0", "2 started", "2.5 token yielded", "2.75 token posted", "100 completed",
                "100 queued end", "100 sent end", "101 accepted end", "101 token invalidated", "103 end ended",
                "103 ended: rideOver", "107 end reported",
            ]
        )
    }

    @Test(
        "A start that fails is retried and abandoned after the last attempt",
        arguments: [StoryLine.StartFailure.inBackground, .atSystemLimit, .tooLarge, .noContent]
    )
    func failures(reason: StoryLine.StartFailure) throws {
        var scenario = Scenario.ride(100)
        scenario.devices.start.time = .seconds(2)
        scenario.devices.start.attempts = 3
        let counter: Counter
        switch reason {
        case .atSystemLimit:
            scenario.devices.start.atSystemLimit = .always
            counter = .startsFailedAtSystemLimit
        case .tooLarge:
            scenario.devices.start.tooLarge = .always
            counter = .startsFailedTooLarge
        case .noContent:
            scenario.faults = [.init(kind: .contentDown, at: .zero, duration: .seconds(100))]
            counter = .startsFailedWithoutContent
        default:
            scenario.devices.start.background = .always
            counter = .startsFailedInBackground
        }
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity) == [
                "2 start failed: \(reason)", "32 start failed: \(reason)", "62 start failed: \(reason)",
                "62 start failed: givenUp",
            ]
        )
        #expect(cell[counter] == 3)
        #expect(cell[.ridesWithoutActivity] == 1)
        #expect(cell[.activitiesStarted] == 0)
        #expect(cell.leftOver.activities == 0)
    }

    @Test("After failures in the background the activity starts when the app is in the foreground again")
    func restarts() throws {
        var scenario = Scenario.ride(1000).times(40)
        scenario.devices.start.background = Probability(0.5)
        scenario.devices.start.attempts = 20
        var failures: Set<Int> = []
        for ride in UInt64(0)..<40 {
            let log = try FinishedCell(scenario, ride: ride).log(.activity)
            let failed = log.count { $0.hasSuffix("inBackground") }
            failures.insert(failed)
            let expected = (0..<failed).map { "\($0 * 30) start failed: inBackground" } + ["\(failed * 30) started"]
            #expect(Array(log.prefix(failed + 1)) == expected)
        }
        #expect(failures.isSuperset(of: [0, 1, 2]))
    }

    @Test("Content that is too large fails at every attempt")
    func tooLarge() throws {
        var scenario = Scenario.ride(100).times(200)
        scenario.devices.start.tooLarge = Probability(0.5)
        scenario.devices.start.attempts = 2
        let cell = try FinishedCell(scenario)
        #expect(cell[.startsFailedTooLarge] == 2 * cell[.ridesWithoutActivity])
        #expect(cell[.ridesWithoutActivity] + cell[.activitiesStarted] == 200)
        #expect((70...130).contains(cell[.activitiesStarted]))
    }

    @Test("A ride that ends between two attempts abandons its start")
    func abandoned() throws {
        var scenario = Scenario.ride(50)
        scenario.devices.start.background = .always
        scenario.devices.start.attempts = 3
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .ride) == [
                "0 requested", "0 stage 0", "0 start failed: inBackground", "30 start failed: inBackground",
                "50 completed", "50 start failed: givenUp",
            ]
        )
        #expect(cell[.ridesWithoutActivity] == 1)
    }

    @Test("If Live Activities are off, nothing starts")
    func notAllowed() throws {
        var scenario = Scenario.ride(50)
        scenario.devices.activitiesEnabled = .never
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.activity) == ["0 start failed: notAllowed"])
        #expect(cell[.startsNotAllowed] == 1)
        #expect(cell[.ridesWithoutActivity] == 1)
    }

    // MARK: - By push

    private static func byPush(attempts: Int = 3) -> Scenario {
        var scenario = Scenario.ride(100)
        scenario.devices.start.by = .push
        scenario.devices.pushToStart.resendAfter = .seconds(10)
        scenario.devices.pushToStart.attempts = attempts
        return scenario
    }

    @Test("A push starts the activity when it reaches the phone")
    func pushToStart() throws {
        var scenario = Self.byPush()
        scenario.apns.latency = .seconds(4)
        let cell = try FinishedCell(scenario)
        #expect(
            Array(cell.log(.request, .push, .activity, .token).prefix(7)) == [
                "0 queued start", "0 sent start", "0 accepted start", "4 started", "4 start started", "4 token yielded",
                "4 token posted",
            ]
        )
        #expect(cell[.activitiesStartedByPush] == 1)
        #expect(cell[.startsSent] == 1)
    }

    @Test(
        "Starts to a dead token or over the budget have no effect, however often they are sent",
        arguments: [true, false]
    )
    func ignoredStarts(isDead: Bool) throws {
        var scenario = Self.byPush()
        if isDead {
            scenario.devices.pushToStart.dead = .always
        } else {
            scenario.devices.pushToStart.budgetExhausted = .always
        }
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["0 start startIgnored", "10 start startIgnored", "20 start startIgnored"])
        #expect(cell.log(.activity) == ["100 start failed: givenUp"])
        #expect(cell[.ridesWithoutActivity] == 1)
        #expect(cell.leftOver.activities == 0)
    }

    @Test("Without a push-to-start token the server cannot send anything")
    func noStartToken() throws {
        var scenario = Self.byPush()
        scenario.devices.pushToStart.hasToken = .never
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.activity) == ["0 start failed: givenUp"])
        #expect(cell[.startsSent] == 0)
    }

    @Test("A start that is resent before the token has come makes a duplicate")
    func duplicates() throws {
        var scenario = Self.byPush()
        scenario.devices.token.delay = .seconds(15)
        var cell = try FinishedCell(scenario)
        #expect(cell.log(.push).prefix(2) == ["0 start started", "10 start started"])
        #expect(cell[.startsSent] == 2)
        #expect(cell[.duplicatesStarted] == 1)
        #expect(cell[.activitiesStarted] == 1)

        scenario.devices.token.never = .always
        cell = try FinishedCell(scenario)
        #expect(cell[.startsSent] == 3)
        #expect(cell[.duplicatesStarted] == 2)
    }

    @Test("The server takes over after the app's attempts have failed")
    func appThenPush() throws {
        var scenario = Self.byPush()
        scenario.devices.start.by = .appThenPush
        scenario.devices.start.background = .always
        scenario.devices.start.attempts = 2
        #expect(
            try FinishedCell(scenario).log(.activity).prefix(3) == [
                "0 start failed: inBackground", "30 start failed: inBackground", "30 started",
            ]
        )
    }

    @Test("The server believes that the content of the start is shown, not newer content")
    func beliefAfterPushToStart() throws {
        var scenario = Self.byPush()
        scenario.rides.stages[0].duration = .seconds(1000)
        scenario.apns.latency = .seconds(5)
        scenario.watch(retries: [0])
        #expect(try FinishedCell(scenario).log(.monitor).first == "60 class recoverable")
    }

    @Test("Without a monitor the timer to resend a start does nothing once the token has come")
    func resendWithoutMonitor() throws {
        var scenario = Self.byPush()
        scenario.rides.stages[0].duration = .seconds(1000)
        scenario.monitor.freshLimit = .zero
        scenario.devices.pushToStart.resendAfter = .seconds(100)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor).isEmpty)
        #expect(cell[.retriesSent] == 0)
        #expect(cell[.startsSent] == 1)
    }
}
