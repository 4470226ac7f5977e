import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The monitor in a cell")
struct MonitorTests {
    /// A long ride without updates: its first content lapses at 60 s.
    private static func silent(_ retries: [Int64], count: Int = 1) -> Scenario {
        var scenario = Scenario.ride(1000).times(count)
        scenario.watch(retries: retries)
        return scenario
    }

    /// A long ride without updates, up to an instant [s].
    private static func silent(_ retries: [Int64], until end: Int64, count: Int = 1) -> Scenario {
        var scenario = silent(retries, count: count)
        scenario.clock.duration = .seconds(end)
        scenario.clock.drain = .zero
        return scenario
    }

    // MARK: - Pauses and scans

    @Test(
        "A monitor that scans acts at the first scan at or after each instant",
        arguments: [(phase: 0, at: 75), (phase: 10, at: 60), (phase: 11, at: 61), (phase: 9, at: 84)]
    )
    func scans(row: (phase: Int64, at: Int64)) throws {
        var scenario = Self.silent([0], until: 90)
        scenario.monitor.scanInterval = .seconds(25)
        scenario.monitor.scanPhase = .seconds(row.phase)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor) == ["\(row.at) class recoverable", "\(row.at) recovered since 60"])
        #expect(cell.measurements.time(.recoverableTime) == (row.at - 60) * 1_000_000)
    }

    // MARK: - Limits

    @Test("Retries carry the priorities of the policy")
    func priorities() throws {
        var scenario = Self.silent([0, 10, 20], until: 90)
        scenario.monitor.retry.priorities = [.considerate, .immediate]
        scenario.apns.loss = .always
        scenario.monitor.feedback = .delivery
        #expect(
            try FinishedCell(scenario).log(.request).filter { $0.contains("sent") } == [
                "60 sent retry at 5", "70 sent retry", "80 sent retry",
            ]
        )
    }

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        A successful retry ends the episode; the next begins when its content lapses
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[5s, 20s]; clock.duration=140s
            clock.drain=0s
            monitor+request+push: 60 class recoverable
            65 queued retry, sent retry, accepted retry, recovered since 60, retry shown; 125 class recoverable
            130 queued retry, sent retry, accepted retry, recovered since 125, retry shown
            values: recoverableTime 10s; recoveryTime.sum 10s; episodesBegun 2; episodesRecovered 2

        # The monitor did not notice the episode, but it counts: as cut short by the end of the ride.
        Without a monitor nothing is retried, but the ride's end is sent
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s]; monitor.enabled=false
            monitor+push: 1000 end ended
            values: recoverableTime 940s; episodesBegun 1; episodesCutShort 1; episodesRecovered 0

        Acceptance counts as display: lost retries leave the screen silently stale
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s]; clock.duration=200s; clock.drain=0s
            apns.loss=1
            monitor: 60 class recoverable, recovered since 60; 120 class recoverable, recovered since 120
            180 class recoverable, recovered since 180
            values: freshTime 200s; displayedStaleTime 140s; silentlyStaleTime 140s

        A server that knows the screens is never silently wrong
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=200s
            clock.drain=0s; apns.loss=1; monitor.feedback=delivery; monitor.end_schedule=[0s, 5s]
            monitor+push: 60 class recoverable, retry lost; 80 retry lost; 160 class severe, end lost; 165 end lost
            values: silentlyStaleTime 0; recoverableTime 100s; severeTime 40s; episodesEndedSevere 1; falseKills 0

        The monitor gives up on an instance with a fresh screen if no response comes
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s]; monitor.recovery_window=50s
            sender.request_time=15s
            monitor+push+activity: 0 started; 60 class recoverable, retry shown
            110 class severe, end ended, ended: severe, end reported
            values: falseKills 1; endedSevere 1

        A paused monitor acts once after the pause
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=120s
            clock.drain=0s; faults.0={kind: monitor_paused, at: 50s, duration: 40s}
            monitor: 90 class recoverable, recovered since 60
            values: retriesSent 1; recoverableTime 30s

        A monitor that is paused beyond the recovery window gives up afterwards
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]
            faults.0={kind: monitor_paused, at: 50s, duration: 111s}
            monitor+request: 161 class recoverable, class severe, queued end, sent end, accepted end

        An episode that no scan has noticed counts once it is over
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s]; clock.duration=90s; clock.drain=0s
            monitor.scan_interval=80s; content.updates_at=[70s]
            monitor: 70 recovered since 60
            values: episodesBegun 1; episodesRecovered 1; recoveryTime.sum 10s

        # Content of the start would have lapsed at 60.
        Delivery confirms the content of the screen, even if the app was faster than the push
            watched; monitor.retry.max_attempts=0; monitor.feedback=delivery; devices.local_updates.enabled=true
            apns.latency=2s; content.updates_at=[50s]
            push: 52 update older …
            monitor: 52 still fresh

        A retry without content counts as made
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=100s
            clock.drain=0s; faults.0={kind: content_down, at: 50s, duration: 20s}
            monitor+request: 60 class recoverable, retry not sent: noContent …

        The ride's end closes an open episode
            rides.stages.0.duration=70s; watched; monitor.retry.max_attempts=0
            push: 70 end ended
            values: episodesBegun 1; episodesCutShort 1

        # The screen's content is past its stale date from 60 and lapses at 90; the server believes in that of 20.
        A screen is silently stale only from the lapse on; before it the monitor would not call it stale either
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s]; monitor.fresh_limit=30s
            clock.duration=100s; clock.drain=0s; apns.loss=1; content.updates_at=[20s]
            values: displayedStaleTime 40s; silentlyStaleTime 10s

        # Two at 60, in the order of rides; by 80 one more has been added.
        A spent budget withholds retries: the first ride
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=85s; clock.drain=0s
            rides.arrivals.count=3; apns.loss=1; monitor.feedback=delivery
            monitor.retry.budget={capacity: 2, per_second: 0.05}
            monitor+push: 60 class recoverable, retry lost; 80 retry lost
            values: retriesWithheld 3; retriesDecided 6; retriesSent 3; retryRepeatsSent 0; retriesAccepted 3
            values: retriesRecovering 0

        A spent budget withholds retries: the second ride
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=85s; clock.drain=0s
            rides.arrivals.count=3; apns.loss=1; monitor.feedback=delivery; ride=1
            monitor.retry.budget={capacity: 2, per_second: 0.05}
            monitor+push: 60 class recoverable, retry lost; 80 retry withheld

        A spent budget withholds retries: the third ride
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=85s; clock.drain=0s
            rides.arrivals.count=3; apns.loss=1; monitor.feedback=delivery; ride=2
            monitor.retry.budget={capacity: 2, per_second: 0.05}
            monitor+push: 60 class recoverable, retry withheld; 80 retry withheld

        The end of a ride does not wait for a scan
            rides.stages.0.duration=55s; watched; monitor.retry.schedule=[0s]; monitor.scan_interval=50s
            push: 55 end ended

        The end of a ride does not wait for a scan, even after a pause
            rides.stages.0.duration=55s; watched; monitor.retry.schedule=[0s]; monitor.scan_interval=50s
            faults.0={kind: monitor_paused, at: 50s, duration: 8s}
            push: 58 end ended

        A monitor that waits 15 minutes after a 503 gives up before
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=170s
            clock.drain=0s; monitor.retry.obeys_fifteen_minutes=true
            faults.0={kind: apns_unavailable, at: 50s, duration: 20s}
            monitor: 60 class recoverable; 160 class severe

        A monitor that does not wait 15 minutes after a 503 recovers
            rides.stages.0.duration=1000s; watched; monitor.retry.schedule=[0s, 20s]; clock.duration=170s
            clock.drain=0s; faults.0={kind: apns_unavailable, at: 50s, duration: 20s}
            monitor: 60 class recoverable; 80 recovered since 60; 140 class recoverable, recovered since 140
        """
    )
}
