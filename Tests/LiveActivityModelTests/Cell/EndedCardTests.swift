import LifecycleTraces
import Testing

@Suite("Cards that stay after the end of their activity")
struct EndedCardTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        An app that ends the activity shows that the ride is over
            devices={local_updates: {enabled: true}, dismissal: {by_app: 1m}}
            activity: 0 started; 100 ended: rideOver, card stays until 160, end reported
            values: endedCardTime.sum 60s; leftCardWrongTime 0; rideEndedCardTime 0

        An end by push brings its own content, and the rider may remove the card earlier
            devices.dismissal={by_push: default, removed_after: 30s}; apns.latency=2s
            activity: 0 started; 102 ended: rideOver, card stays until 132, end reported
            values: endedCardTime.sum 30s; leftCardWrongTime 0

        # A dismissal date is part of the push: 160, sent at 100 and received at 130.
        The time after an end by push counts from its request
            devices.dismissal.by_push=1m; apns.latency=30s
            activity: 0 started; 130 ended: rideOver, card stays until 160, end reported
            values: endedCardTime.sum 30s; leftCardTime 30s

        A card whose end arrives after its dismissal date does not stay
            devices.dismissal.by_push=20s; apns.latency=30s
            activity: 0 started; 130 ended: rideOver, end reported
            values: endedCardTime 0

        An app that cannot reach the server ends its card with the content on the screen
            devices={local_updates: {enabled: true}, dismissal: {by_app: 1m}}
            faults.0={kind: devices_offline, at: 50s, duration: 100s}
            activity: 0 started; 100 ended: rideOver, card stays until 160 and is wrong from 100; 150 end reported
            values: leftCardWrongTime 60s

        # The activity ends at 100 within the warm-up, and its card is measured from 130 on.
        A card that ended within the warm-up counts in shares of time, and has no length
            clock={duration: 131s, warm_up: 130s, drain: 1h}; devices={local_updates: {enabled: true}, dismissal: {by_app: 1m}}
            values: endedCardTime 0; leftCardTime 30s

        # The end was sent at 100, when the server could not generate content.
        An end without content leaves a card that shows the ride as if it went on
            devices.dismissal.by_push=2m; faults.0={kind: content_down, at: 90s, duration: 20s}
            activity: 0 started; 100 ended: rideOver, card stays until 220 and is wrong from 100, end reported
            values: endedCardTime.sum 120s; leftCardWrongTime 120s

        # In its first stage until 60; no content of the second stage reaches the card.
        A card that ends during its ride is right until the stage changes
            rides.stages.0.duration=60s; rides.stages.1={name: s1, duration: 40s}
            devices={system_limit: 20s, dismissal: {at_limit: 1m}}
            activity: 0 started; 20 ended: systemLimit, card stays until 80 and is wrong from 60, end reported
            values: endedCardTime.sum 60s; leftCardWrongTime 20s; rideEndedCardTime 60s; rideEndedCardWrongTime 20s

        A card whose last update was lost is wrong from its end
            rides.stages.0.duration=20s; rides.stages.1={name: s1, duration: 80s}; apns.loss=1
            devices={system_limit: 50s, dismissal: {at_limit: default}}
            activity: 0 started; 50 ended: systemLimit, card stays until 14450 and is wrong from 50, end reported
            values: endedCardTime.sum 14400s; leftCardWrongTime 14400s; rideEndedCardTime 50s

        A swipe removes the card at once
            devices={swipe: {share: 1, after: 30s}, dismissal: {by_app: 1m, by_push: 1m, at_limit: 1m}}
            activity: 0 started; 30 ended: swiped, end reported
            values: endedCardTime 0; rideEndedCardTime 0

        The end of the run cuts the time short
            clock.drain=2m; devices={local_updates: {enabled: true}, dismissal: {by_app: default}}
            values: endedCardTime.sum 21s
        """
    )
}
