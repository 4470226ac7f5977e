import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Tokens, their posts and their rotation")
struct TokenTests {
    // MARK: - Initial content

    private static func limited() -> Scenario {
        var scenario = Scenario.ride(600)
        scenario.devices.initialContentLimit = .minutes(3)
        return scenario
    }

    @Test(
        "An update exactly at the limit saves the activity; one a microsecond later does not",
        arguments: [180, 180.000001]
    )
    func limitIsExact(update: Double) throws {
        var scenario = Self.limited()
        scenario.update(at: update)
        let cell = try FinishedCell(scenario)
        #expect(cell[.endedNoUpdate] == (update > 180 ? 1 : 0))
        #expect(cell[.endedRideOver] == (update > 180 ? 0 : 1))
    }

    @Test("The reason for an activity's own end is that of its current life, not of the one before a swipe")
    func reasonOfSecondLife() throws {
        var scenario = Self.limited().times(100)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.recreated = .always
        scenario.devices.token.delay = .uniform(low: 0, high: 400e6)
        var found = 0
        for ride in UInt64(0)..<100 {
            let log = try FinishedCell(scenario, ride: ride).log(.activity, .token)
            let second = log.lastIndex { $0.hasSuffix(" started") } ?? 0
            let yields = log.indices.filter { log[$0].hasSuffix("yielded") }
            guard second > 0, let yield = yields.first, yields.count == 1, yield < second else { continue }
            found += 1
            #expect(log[second...].contains("240 ended: noToken"), "ride \(ride)")
        }
        #expect(found > 0)
    }

    // MARK: - Rotation

    @Test("A server that relies on an accepted end leaves the card to Apple's limit")
    func endOnlyOnce() throws {
        var scenario = Scenario.ride(10_000)
        scenario.watch(retries: [], recoveryWindow: 40)
        scenario.devices.token.rotation = .seconds(300)
        scenario.devices.systemLimit = .seconds(1000)
        // A phone that is unreachable only for the first end.
        scenario.fail(.devicesOffline, from: 90, to: 200)
        scenario.apns.storage = .none
        scenario.monitor.endsAgainOnNewToken = false
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.push, .activity, .monitor) == [
                "0 started", "60 class recoverable", "100 class severe", "100 end notStored", "1000 ended: systemLimit",
                "1000 end reported",
            ]
        )
        // An end that was not accepted is still sent to the next token.
        scenario.apns.reasons = [.init(reason: .unregistered, share: .always)]
        scenario.monitor.endSchedule = [.zero]
        #expect(try FinishedCell(scenario)[.endsSent] > 1)
    }

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        Without a token the activity ends exactly at its limit
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.start.time=1.5s
            devices.token.never=1
            activity+token: 1.5 started; 181.5 ended: noToken, end reported
            values: endedNoToken 1

        Failed posts are retried up to their maximum number; then the activity ends
            rides.stages.0.duration=600s; devices.initial_content_limit=3m
            devices.token={delay: 5s, post: 1s, post_failure: 1, post_retry_after: 20s, post_attempts: 3}
            activity+token: 0 started; 5 token yielded; 6 post failed; 27 post failed; 48 post failed
            180 ended: tokenNotPosted, end reported
            values: endedTokenNotPosted 1; tokenPostsFailed 3

        # A report of a late token would send the reader after the wrong fault.
        A token that came, and was invalidated by an end that was lost, is not reported as too late
            rides.stages.0.duration=100s; devices.initial_content_limit=3m; apns.loss=1
            activity+token: 0 started, token yielded, token posted; 100 token invalidated
            180 ended: noUpdate, end reported

        A server that accepts no posts for a time gets the token from a later one
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.token.post_attempts=5
            faults.0={kind: token_post_down, at: 0s, duration: 20s}; content.updates_at=[30s]
            activity+token: 0 started, token yielded, post failed; 10 post failed; 20 token posted
            600 token invalidated, ended: rideOver, end reported

        A token without an update ends the activity, and the server is notified
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.end_report=2s
            activity+token: 0 started, token yielded, token posted; 180 ended: noUpdate
            182 end reported, token invalidated
            values: endedNoUpdate 1; endsSent 0

        Content that the app shows on its own is local, too, and does not save the activity
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.local_updates.enabled=true
            devices.token.never=1; content.updates_at=[60s, 120s]
            activity: 0 started; 60 updated locally; 120 updated locally; 180 ended: noToken …

        An offline phone posts its token once it is online
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.token.post=1s
            devices.connectivity={online: 1000000s, offline: 50s, initially_offline: 1}
            token: 0 token yielded; 51 token posted …

        Pushes to a rotated token are dropped until APNs knows; the server then discards it until a new one comes
            rides.stages.0.duration=190s; devices.token={post: 50s, rotation: 100s}; apns.expired_token_lag=30s
            content.updates_at=[60s, 99s, 100s, 129.999999s, 130s, 140s, 160s]; without=queued
            token+push+request: 0 token yielded; 50 token posted; 60 sent update, accepted update, update shown
            99 sent update, accepted update, update shown
            100 token rotated, sent update, update deadToken, accepted update
            129.999999 sent update, update deadToken, accepted update
            130 sent update, refused update: 410, token discarded; 150 token posted
            160 sent update, accepted update, update shown; 190 sent end, accepted end, token invalidated, end ended
            values: tokensRotated 1; tokensDiscarded 1; responses410 1; fateDeadToken 2; fateRefused 1

        A server that sends content to each new token
            rides.stages.0.duration=190s; devices.token={post: 5s, rotation: 100s}; content.sent_on_new_token=true
            without=queued
            token+push+request: 0 token yielded; 5 token posted, sent update, accepted update, update shown
            100 token rotated; 105 token posted, sent update, accepted update, update shown
            190 sent end, accepted end, token invalidated, end ended

        Each token has a separate number of attempts to post it
            rides.stages.0.duration=190s; devices.token={rotation: 100s, post_attempts: 2}
            faults.0={kind: token_post_down, at: 0s, duration: 105s}
            token: 0 token yielded, post failed; 10 post failed; 100 token rotated, post failed; 110 token posted …

        A late response about the old token does not affect the new one
            rides.stages.0.duration=190s; devices.token={post: 20s, rotation: 100s}
            sender={request_time: 30s, timeout: 60s}; content.updates_at=[110s, 150s]; without=queued
            token+request+push: 0 token yielded; 20 token posted; 100 token rotated; 110 sent update; 120 token posted
            140 refused update: 410; 150 sent update, update shown; 180 accepted update
            190 sent end, end ended, token invalidated; 220 accepted end
            values: tokensDiscarded 0

        An accepted end to a token that was replaced meanwhile closes nothing: the new token gets the next end
            rides.stages.0.duration=110s; devices.token={post: 20s, rotation: 100s}; apns.expired_token_lag=60s
            sender={request_time: 30s, timeout: 60s}; monitor.end_schedule=[0s, 40s]; without=queued
            token+request+push+activity: 0 started, token yielded; 20 token posted; 100 token rotated
            110 sent end, end deadToken; 120 token posted; 140 accepted end
            150 sent end, end ended, ended: rideOver, end reported, token invalidated; 180 accepted end
            values: tokensInvalidated 1

        # Posted at 50; rotated at 55; stale at 60 and then rejected; posted again at 105, and stale since the post.
        A new token restores an instance with its previous belief
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]
            devices.token={post: 50s, rotation: 55s}; clock.drain=0s; clock.duration=108s
            token+monitor: 0 token yielded; 50 token posted; 55 token rotated; 60 class recoverable, token discarded
            105 token posted, class recoverable, recovered since 105
            values: episodesCutShort 1; episodesRecovered 1

        An activity that posts a new token after an end that was accepted and lost is ended again
            rides.stages.0.duration=10000s; watched; monitor.retry.max_attempts=0; monitor.recovery_window=40s
            devices.token.rotation=300s; devices.system_limit=1000s
            faults.0={kind: devices_offline, at: 90s, duration: 110s}; apns.storage=none
            token+push+activity+monitor: 0 started, token yielded, token posted; 60 class recoverable
            100 class severe, token invalidated, end notStored
            300 token rotated, token posted, token invalidated, end ended, ended: severe, end reported
            values: episodesBegun 1

        A swipe ends the activity, and the server is notified later
            rides.stages.0.duration=200s; devices.swipe={share: 1, after: 42s}; devices.end_report=3s
            content.updates_at=[43s, 46s]; apns.expired_token_lag=60s
            activity+token+push: 0 started, token yielded, token posted; 42 ended: swiped; 43 update deadToken
            45 end reported, token invalidated
            values: endedSwiped 1

        A push in flight to a swiped activity arrives after its end
            rides.stages.0.duration=200s; devices.swipe={share: 1, after: 42s}; apns.latency=5s
            content.updates_at=[40s]
            push: 45 update afterEnd

        An activity that is created again after a swipe gets a new token, once
            rides.stages.0.duration=200s; devices.swipe={share: 1, after: 42s, recreated: 1}; devices.end_report=3s
            content.updates_at=[50s]
            activity+token+push: 0 started, token yielded, token posted; 42 ended: swiped
            45 end reported, token invalidated, started, token yielded, token posted; 50 update shown
            200 token invalidated, end ended, ended: rideOver; 203 end reported
            values: activitiesRecreated 1; activitiesStarted 2

        A late response to a push for the former life does not affect the new one
            rides.stages.0.duration=50s; devices.swipe={share: 1, after: 15s, recreated: 1}; sender.request_time=5s
            content.updates_at=[12s]
            monitor: none
            has: 17 accepted update

        An activity that is created again is watched from its own beginning, even if the old token was found dead before
            rides.stages.0.duration=300s; watched; monitor.retry.max_attempts=0
            devices.swipe={share: 1, after: 42s, recreated: 1}; devices.end_report=8s; content.updates_at=[45s]
            token+monitor: 0 token yielded, token posted; 45 token discarded; 50 token yielded, token posted
            110 class recoverable; 210 class severe …
        """
    )
}
