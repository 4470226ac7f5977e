import LifecycleTraces
import Testing

@testable import LiveActivityModel

@Suite("Starts by push: budgets, push-to-start tokens, stale starts and renewals")
struct PushStartTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        # The budget is full at first; a start comes back 60 s after the first one took it.
        A storm of starts locks a phone out until its budget comes back
            rides.stages.0.duration=1000s; devices.start={by: push, push_budget: {starts: 2, refill: 60s}}
            devices.token.never=1; devices.push_to_start={resend_after: 10s, attempts: 9}
            push: 0 start started; 10 start started; 20 start startIgnored; 30 start startIgnored; 40 start startIgnored
            50 start startIgnored; 60 start started; 70 start startIgnored; 80 start startIgnored
            values: startsOverBudget 6; duplicatesStarted 2; fateStartIgnored 6; activitiesStarted 1

        A storm at the start costs the renewal eight hours later: the limit takes the card
            rides.stages.0.duration=1000s; devices.start={by: push, push_budget: {starts: 2, refill: 1000s}}
            devices.token.delay=35s; devices.push_to_start={resend_after: 10s, attempts: 3}
            devices.system_limit=500s; content.renew_before=100s
            push+activity: 0 started, start started; 10 start started; 20 start dropped: overBudget, start startIgnored
            400 start dropped: overBudget, start startIgnored; 500 ended: systemLimit, end reported
            values: cardsLostAtLimit 1; activitiesRenewed 0; startsOverBudget 2

        # It changes at 15 and 30; APNs knows of the change at 15 from 25 on, and the server has no token at 40.
        A start to an old token reaches no phone; once APNs rejects it, the server sends no more
            rides.stages.0.duration=1000s; devices.start={by: push, token_rotation: 15s}; devices.token.never=1
            devices.push_to_start={resend_after: 10s, attempts: 5}; apns.expired_token_lag=10s; without=queued
            request+push: 0 sent start, accepted start, start started; 10 sent start, accepted start, start started
            20 sent start, start deadToken, accepted start; 30 sent start, refused start: 410
            values: startsSent 4; startsToOldToken 2; startsWithoutToken 1; fateDeadToken 1; responses410 1

        An app that runs posts the new push-to-start token at once
            rides.stages.0.duration=1000s; devices.start={by: push, token_rotation: 15s}; devices.token.never=1
            devices.push_to_start={resend_after: 10s, attempts: 5}; devices.local_updates.alive_for=1000s
            push: 0 start started; 10 start started; 20 start started; 30 start started; 40 start started
            values: startsToOldToken 0; startsWithoutToken 0

        While the server accepts no posts, it keeps the old token
            rides.stages.0.duration=1000s; devices.start={by: push, token_rotation: 15s}; devices.token.never=1
            devices.push_to_start={resend_after: 10s, attempts: 5}; devices.local_updates.alive_for=1000s
            faults.0={kind: token_post_down, at: 12s, duration: 8s}; apns.expired_token_lag=1000s
            push: 0 start started; 10 start started; 20 start deadToken; 30 start started; 40 start started

        # It changes at 250 and 500; the app runs at 300, when iOS changes the update token.
        The app posts the new push-to-start token with an update token, in time for the renewal
            rides.stages.0.duration=450s; devices.start={by: push, token_rotation: 250s}; devices.token.rotation=300s
            devices.system_limit=500s; content.renew_before=100s
            token+push: 0 start started, token yielded, token posted
            300 token rotated, start token posted, token posted
            400 token invalidated, start started, token yielded, token posted; 450 token invalidated, end ended
            values: activitiesRenewed 1; startsToOldToken 0

        Without another update token, the renewal goes to the old push-to-start token, and the limit takes the card
            rides.stages.0.duration=1000s; devices.start={by: push, token_rotation: 250s}; apns.expired_token_lag=1h
            devices.system_limit=500s; content.renew_before=100s
            push+activity: 0 started, start started; 400 start deadToken; 500 ended: systemLimit, end reported
            values: cardsLostAtLimit 1; startsToOldToken 1

        Activities started by push get no token; those started by the app do
            rides.stages.0.duration=1000s; devices.token.never_after_push=1; devices.system_limit=500s
            content.renew_before=100s
            activity+token: 0 started, token yielded, token posted
            400 ended: renewed, end reported, token invalidated, started; 800 ended: renewed, end reported, started
            1300 ended: systemLimit, end reported
            values: tokensPosted 1; activitiesStartedByPush 2; cardsLostAtLimit 0

        The share for starts by push does not hold for an activity that the app starts
            devices.start.by=app_then_push; devices.token.never_after_push=1
            token: 0 token yielded, token posted …

        A start that is stale when it reaches the phone is never presented
            devices.start={by: push, presents_stale: false}; apns.latency=60s
            push+activity: 60 start dropped: stale, start startIgnored; 100 start failed: givenUp
            values: startsStale 1; ridesWithoutActivity 1

        A start that will be stale a microsecond later is presented
            devices.start={by: push, presents_stale: false}; apns.latency=59.999999s
            push+activity: 59.999999 started, start started …
            values: startsStale 0

        A start without an alert takes its part of the budget, but no card appears
            devices.start={by: push, without_alert: 1, push_budget: {starts: 1, refill: 1h}}
            values: startsWithoutAlert 1; activitiesStarted 0; ridesWithoutActivity 1

        A stale start takes its part of the budget
            rides.stages.0.duration=1000s; devices.push_to_start={resend_after: 500s, attempts: 2}; apns.latency=60s
            devices.start={by: push, presents_stale: false, push_budget: {starts: 1, refill: 1h}}
            activity: 60 start dropped: stale; 560 start dropped: overBudget; 1000 start failed: givenUp

        Without a renewal, the limit takes the card
            rides.stages.0.duration=1000s; devices.system_limit=500s
            activity: 0 started; 500 ended: systemLimit, end reported

        An app that runs renews its activity before the limit, without a push
            rides.stages.0.duration=900s; devices.system_limit=500s; content.renew_before=100s
            devices.local_updates.alive_for=600s
            activity+token: 0 started, token yielded, token posted
            400 ended: renewed, end reported, token invalidated, started, token yielded, token posted
            800 ended: renewed, end reported, token invalidated, started, token yielded, token posted
            900 ended: rideOver, end reported, token invalidated
            values: activitiesRenewed 2; endedRenewed 2; startsSent 0; displayedTime 900s; cardsLostAtLimit 0

        The server renews the activity of an app that does not run, by push
            rides.stages.0.duration=500s; devices.system_limit=500s; content.renew_before=100s; apns.latency=3s
            push+activity: 0 started; 403 ended: renewed, end reported, started, start started
            503 end ended, ended: rideOver, end reported
            values: activitiesRenewed 1; activitiesStartedByPush 1; startsSent 1; displayedTime 503s

        An app in the background cannot renew its activity
            rides.stages.0.duration=450s; devices.system_limit=500s; content.renew_before=100s; apns.latency=3s
            devices.start={by: app_then_push, background: 1}; devices.local_updates.alive_for=600s
            activity: 0 start failed: inBackground; 3 started; 406 ended: renewed, end reported, started
            450 ended: rideOver, end reported
            values: startsSent 2

        # APNs keeps the start for an hour. The phone ends its activity on its own.
        A renewal that waits for an offline phone brings the card back after the limit
            rides.stages.0.duration=1000s; devices.system_limit=500s; content.renew_before=100s
            faults.0={kind: devices_offline, at: 390s, duration: 210s}; apns.expiration=1h
            push+activity: 0 started; 400 stored start until 600; 500 ended: systemLimit
            600 end reported, started, start started
            1000 end ended, ended: rideOver, end reported
            values: cardsLostAtLimit 1; activitiesRenewed 1; endedRenewed 0; displayedTime 900s

        A ride that ends before the time of renewal needs none
            rides.stages.0.duration=400s; devices.system_limit=500s; content.renew_before=100s
            activity: 0 started; 400 ended: rideOver, end reported
            values: activitiesRenewed 0; startsSent 0

        A push to the activity that was replaced arrives after its end
            rides.stages.0.duration=450s; devices.system_limit=500s; content.renew_before=100s
            devices.local_updates.alive_for=600s; apns.latency=3s; content.updates_at=[399s]
            push: 402 update afterEnd …
        """
    )
}
