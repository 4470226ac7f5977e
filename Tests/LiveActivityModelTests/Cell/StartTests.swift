import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Starts, by the app and by push")
struct StartTests {
    // MARK: - By the app

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

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        The app starts the activity after its time; the token follows, and the end with the ride
            devices.start.time=2s; devices.token={delay: 0.5s, post: 0.25s}; sender.request_time=1s; apns.latency=3s
            devices.end_report=4s
            0 requested, stage 0; 2 started; 2.5 token yielded; 2.75 token posted; 100 completed, queued end, sent end
            101 accepted end, token invalidated; 103 end ended, ended: rideOver; 107 end reported

        A ride that ends between two attempts abandons its start
            rides.stages.0.duration=50s; devices.start={background: 1, attempts: 3}
            activity+ride: 0 requested, stage 0, start failed: inBackground; 30 start failed: inBackground
            50 completed, start failed: givenUp
            values: ridesWithoutActivity 1

        If Live Activities are off, nothing starts
            rides.stages.0.duration=50s; devices.activities_enabled=0
            activity: 0 start failed: notAllowed
            values: startsNotAllowed 1; ridesWithoutActivity 1

        A push starts the activity when it reaches the phone
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3}; apns.latency=4s
            request+push+activity+token: 0 queued start, sent start, accepted start
            4 started, start started, token yielded, token posted …
            values: activitiesStartedByPush 1; startsSent 1

        Without a push-to-start token the server cannot send anything
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3, has_token: 0}
            activity: 0 start failed: givenUp
            values: startsSent 0

        The server takes over after the app's attempts have failed
            devices.start={by: app_then_push, background: 1, attempts: 2}
            devices.push_to_start={resend_after: 10s, attempts: 3}
            activity: 0 start failed: inBackground; 30 start failed: inBackground, started …

        The server believes that the content of the start is shown, not newer content
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3}; rides.stages.0.duration=1000s
            apns.latency=5s; watched; monitor.retry.schedule=[0s]
            monitor: 60 class recoverable …

        Without a monitor the timer to resend a start does nothing once the token has come
            devices.start.by=push; devices.push_to_start={resend_after: 100s, attempts: 3}
            rides.stages.0.duration=1000s; monitor.fresh_limit=0s
            monitor: none
            values: retriesSent 0; startsSent 1

        A start that fails is retried and abandoned after the last attempt: inBackground
            devices.start={time: 2s, attempts: 3, background: 1}
            activity: 2 start failed: inBackground; 32 start failed: inBackground
            62 start failed: inBackground, start failed: givenUp
            values: startsFailedInBackground 3; ridesWithoutActivity 1; activitiesStarted 0; leftOver.activities 0

        An app in the foreground starts the activity
            devices.start={time: 9.999999s, attempts: 3, foreground: {stays: 10s, away: 20s}}
            activity: 9.999999 started …
            values: startsFailedInBackground 0

        An app outside the foreground starts the activity when it is there again
            devices.start={time: 10s, attempts: 3, foreground: {stays: 10s, away: 20s}}
            activity: 10 start failed: inBackground; 30 started …
            values: startsFailedInBackground 1

        Other failures are retried as ever, and the attempt may find the app outside the foreground
            devices.start={time: 5s, attempts: 3, retry_after: 20s, foreground: {stays: 10s, away: 20s}}
            faults.0={kind: content_down, at: 0s, duration: 10s}
            activity: 5 start failed: noContent; 25 start failed: inBackground; 30 started …

        An app outside the foreground cannot renew its activity
            rides.stages.0.duration=450s; devices.system_limit=500s; content.renew_before=100s; apns.latency=3s
            devices.start.foreground={stays: 300s, away: 1h}; devices.local_updates.alive_for=600s
            activity: 0 started; 403 ended: renewed, end reported, started …
            values: startsSent 1

        A start that fails is retried and abandoned after the last attempt: atSystemLimit
            devices.start={time: 2s, attempts: 3, at_system_limit: 1}
            activity: 2 start failed: atSystemLimit; 32 start failed: atSystemLimit
            62 start failed: atSystemLimit, start failed: givenUp
            values: startsFailedAtSystemLimit 3; ridesWithoutActivity 1; activitiesStarted 0; leftOver.activities 0

        A start that fails is retried and abandoned after the last attempt: tooLarge
            devices.start={time: 2s, attempts: 3, too_large: 1}
            activity: 2 start failed: tooLarge; 32 start failed: tooLarge
            62 start failed: tooLarge, start failed: givenUp
            values: startsFailedTooLarge 3; ridesWithoutActivity 1; activitiesStarted 0; leftOver.activities 0

        A start that fails is retried and abandoned after the last attempt: noContent
            devices.start={time: 2s, attempts: 3}; faults.0={kind: content_down, at: 0s, duration: 100s}
            activity: 2 start failed: noContent; 32 start failed: noContent
            62 start failed: noContent, start failed: givenUp
            values: startsFailedWithoutContent 3; ridesWithoutActivity 1; activitiesStarted 0; leftOver.activities 0

        Starts to a dead token have no effect, however often they are sent
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3, dead: 1}
            push: 0 start startIgnored; 10 start startIgnored; 20 start startIgnored
            activity: 100 start failed: givenUp
            values: ridesWithoutActivity 1; leftOver.activities 0

        Starts over the budget have no effect, however often they are sent
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3, budget_exhausted: 1}
            push: 0 start startIgnored; 10 start startIgnored; 20 start startIgnored
            activity: 100 start failed: givenUp
            values: ridesWithoutActivity 1; leftOver.activities 0

        A start that is resent before the token has come makes a duplicate
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3}; devices.token.delay=15s
            push: 0 start started; 10 start started …
            values: startsSent 2; duplicatesStarted 1; activitiesStarted 1

        Starts that are resent because no token comes make duplicates
            devices.start.by=push; devices.push_to_start={resend_after: 10s, attempts: 3}; devices.token.never=1
            values: startsSent 3; duplicatesStarted 2
        """
    )
}
