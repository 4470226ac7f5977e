import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The phone: budget, app, connection and its own ends")
struct DeviceTests {
    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        The budget's window is fixed and begins with the first push that counts
            rides.stages.0.duration=400s; devices.budget={limit: 2, window: 100s}
            content.updates_at=[10s, 20s, 30s, 109.999999s, 150s, 240s, 245s, 250s]
            push: 10 update shown; 20 update shown; 30 update throttled; 109.999999 update throttled; 150 update shown
            240 update shown; 245 update throttled; 250 update shown; 400 end ended
            values: fateThrottled 3; responsesAccepted 9

        Pushes of priority 5 cost nothing
            devices.budget.limit=1; content.refresh_priority=5; content.updates_at=[10s, 20s, 30s]
            push: 10 update shown; 20 update shown; 30 update shown; 100 end ended

        A running app updates and ends its activity on its own
            devices.local_updates.enabled=true; content.updates_at=[10s, 20s]
            activity+push+token: 0 started, token yielded, token posted; 10 updated locally, update older
            20 updated locally, update older; 100 ended: rideOver, end reported, token invalidated
            values: localUpdates 2; endsSent 0

        A suspended app leaves both to the server
            devices.local_updates={enabled: true, alive_for: 20s}; content.updates_at=[10s, 20s]
            activity+push: 0 started; 10 updated locally, update older; 20 update shown
            100 end ended, ended: rideOver, end reported

        Without a connection, or without content, the app shows nothing new
            devices.local_updates.enabled=true; faults.0={kind: devices_offline, at: 5s, duration: 10s}
            faults.1={kind: content_down, at: 15s, duration: 10s}; content.updates_at=[10s, 20s, 30s]
            activity: 0 started; 30 updated locally …

        An app that reads sensors needs neither
            devices.local_updates={enabled: true, needs_connection: false}
            faults.0={kind: devices_offline, at: 5s, duration: 10s}
            faults.1={kind: content_down, at: 15s, duration: 10s}; content.updates_at=[10s, 20s, 30s]
            activity: 0 started; 10 updated locally; 20 updated locally; 30 updated locally …

        # 10 is drawn and opens at 25; 14 waits and 22 replaces it; 24 was pushed before the drawing and 25 was not.
        The phone draws an app's updates at intervals, and pushes at once
            devices={local_updates: {enabled: true}, render_interval: 15s}; apns.latency=2s
            content.updates_at=[10s, 14s, 22s, 40s, 41s, 70s]; rides.stages.0.duration=80s
            activity+push: 0 started; 10 updated locally; 12 update older; 14 update waits until 25; 16 update shown
            24 update shown; 40 updated locally; 41 update waits until 55; 42 update older; 43 update shown
            70 updated locally; 72 update older; 80 ended: rideOver …
            values: localUpdates 6; localUpdatesUndrawn 3

        Updates between two drawings are drawn together
            devices={local_updates: {enabled: true}, render_interval: 15s}; apns.loss=1
            content.updates_at=[10s, 14s, 22s, 40s, 70s]; rides.stages.0.duration=80s
            activity: 0 started; 10 updated locally; 14 update waits until 25; 25 updated locally; 40 updated locally
            70 updated locally; 80 ended: rideOver …
            values: localUpdates 5; localUpdatesUndrawn 1

        # Woken at 12, 22 and 32; the window's budget is spent until 112. The content is that of the fetch.
        Background pushes wake the app, which updates the card within its budget
            rides.stages.0.duration=200s; apns.latency=2s; devices.considerate_priority_delay=0s
            content={wake_app: {limit: 2, window: 100s, fetch: 3s}, refresh_priority: 5, state_change_priority: 5}
            content.updates_at=[10s, 20s, 30s, 120s]; monitor.retry.priorities=[5]
            activity+push: 0 started; 12 update wokeApp; 15 updated locally; 22 update wokeApp; 25 updated locally
            32 update throttled; 122 update wokeApp; 125 updated locally; 202 end ended, ended: rideOver, end reported
            values: localUpdates 3; fateWokeApp 3; fateThrottled 1

        A woken app needs a connection
            apns.latency=2s; content={wake_app: {fetch: 5s}, refresh_priority: 5, state_change_priority: 5}
            content.updates_at=[10s]; monitor.retry.priorities=[5]
            faults.0={kind: devices_offline, at: 13s, duration: 10s}
            activity+push: 0 started; 12 update wokeApp; 102 end ended, ended: rideOver, end reported
            values: localUpdates 0

        An update postpones the end of stale content
            rides.stages.0.duration=200s; devices.stale_content_limit=20s
            devices.local_updates={enabled: true, alive_for: 1000s}; content.updates_at=[50s]
            has: 130 ended: contentExpired

        The system ends an activity after exactly eight hours
            rides.stages.0.duration=1000000s; devices.start.time=1.5s
            activity: 1.5 started; 28801.5 ended: systemLimit, end reported
            values: lifetime.sum 28800s

        # Accepted, so the server sends no second one.
        A lost end leaves the activity to the system's limit
            apns.loss=1; monitor.end_schedule=[0s, 30s]
            push: 100 end lost
            activity: 0 started; 28800 ended: systemLimit, end reported
            values: endedSystemLimit 1

        Online and offline intervals follow each other exactly
            rides.stages.0.duration=200s; apns.storage=all; devices.connectivity={online: 30s, offline: 20s}
            content.updates_at=[29.999999s, 30s, 49.999999s, 50s, 79s, 90s, 120s]
            push: 29.999999 update shown; 30 stored update until 50; 49.999999 stored update until 50
            50 update shown, update shown, update shown; 79 update shown; 90 stored update until 100; 100 update shown
            120 update shown; 200 end ended

        A phone that is offline at first is online after that interval
            rides.stages.0.duration=190s; devices.connectivity={online: 30s, offline: 20s, initially_offline: 1}
            apns.storage=none; content.updates_at=[20s, 49s, 50s, 69s, 70s]
            push: 20 update shown; 49 update shown; 50 update notStored; 69 update notStored; 70 update shown
            190 end ended

        # Offline until 50 on its own, until 85 with its region, and again on its own from 80 until 100.
        A region's outage adds to the phone's own
            rides.stages.0.duration=200s; devices.connectivity={online: 30s, offline: 20s}
            faults.0={kind: devices_offline, at: 45s, duration: 40s}; content.updates_at=[40s]
            push: 40 stored update until 100; 100 update shown …

        A spent budget lets an end through
            devices.budget.limit=1; content.updates_at=[99s]
            push: 99 update shown; 100 end ended

        If ends count as well, a spent budget lets no end through
            devices.budget={limit: 1, ends_exempt: false}; content.updates_at=[99s]
            push: 99 update shown; 100 end throttled
            has: 28800 ended: systemLimit

        Content too long past its stale date ends the activity while the app is running
            devices.stale_content_limit=20s; devices.local_updates.enabled=true
            activity: 0 started; 80 ended: contentExpired …

        An app that runs until just after the limit of stale content still ends its activity
            devices.stale_content_limit=20s; devices.local_updates={enabled: true, alive_for: 80.000001s}
            activity: 0 started; 80 ended: contentExpired …

        An app that ends at the limit of stale content does not end its activity
            devices.stale_content_limit=20s; devices.local_updates={enabled: true, alive_for: 80s}
            activity: 0 started; 100 ended: rideOver …

        A push that is slower than the app still counts as an update
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.local_updates.enabled=true
            content.updates_at=[100s]
            values: fateOlder 1; endedNoUpdate 0; endedRideOver 1

        A lost push that is slower than the app does not count as an update
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.local_updates.enabled=true
            content.updates_at=[100s]; apns.loss=1
            values: fateOlder 0; endedNoUpdate 1; endedRideOver 0

        A swipe comes first if it comes earlier
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.swipe={share: 1, after: 179s}
            activity: 0 started; 179 ended: swiped …

        A swipe that comes later than the phone's own end has no effect
            rides.stages.0.duration=600s; devices.initial_content_limit=3m; devices.swipe={share: 1, after: 181s}
            activity: 0 started; 180 ended: noUpdate …
        """
    )
}
