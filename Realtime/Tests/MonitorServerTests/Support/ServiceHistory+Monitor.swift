import LifecycleTraces

extension ServiceHistory {
    /// Histories of one ride, in the words of the monitor.
    ///
    /// Pushes reach the phone after a second. The server receives the response after 0.2 s, or at the scripted time.
    /// Hosts without a disk have no restarts.
    static let ofMonitor: [ServiceHistory] = read(
        as: .monitor,
        """
        rotation: an accepted end to the old token closes nothing
            clock.duration=190s; rides.stages.0.duration=110s; monitor.fresh_limit=1h; monitor.end_schedule=[0s, 40s]
            devices.token.post=20s; devices.token.rotation=100s; apns.expired_token_lag=60s; sender.request_time=30s
            20 token; 110 send end; 120 token; 140 accepted end; 150 send end; 151 token invalidated; 180 accepted end

        rotation: a late refusal of the old token does not affect the new one
            clock.duration=140s; monitor.retry.schedule=[0s, 40s]; devices.token.post=15s; devices.token.rotation=55s
            sender.request_time=30s
            15 token; 60 class stale, send retry; 70 token; 90 refused retry; 100 send retry; 125 token
            130 accepted retry, class fresh

        rotation: an invalid token is discarded; the next one restores the instance with its belief
            clock.duration=108s; monitor.retry.schedule=[0s, 20s]; devices.token.post=50s; devices.token.rotation=55s
            50 token; 60 class stale, send retry; 60.2 refused retry, token discarded
            105 token, class stale, send retry; 105.2 accepted retry, class fresh

        outage: attempts continue until one is answered
            clock.duration=130s; monitor.retry.schedule=[0s, 30s, 65s]
            faults.0={kind: apns_silent, at: 50s, duration: 60s}
            0 token; 60 class stale, send retry; 90 send retry; 125 send retry; 125.2 accepted retry, class fresh

        outage: given up, and ended by the schedule
            clock.duration=195s; monitor.end_schedule=[0s, 30s]; faults.0={kind: apns_silent, at: 50s, duration: 130s}
            0 token; 60 class stale, send retry; 160 class severe, send end; 190 send end
            190.2 accepted end, token invalidated

        tie: an answer at the exact instant of the severe class comes first
            clock.duration=165s; monitor.retry.schedule=[80s]; sender.request_time=20s
            0 token; 60 class stale; 140 send retry; 160 accepted retry, class fresh

        scans: a lapse waits for the next scan, the end of the ride does not
            clock.duration=95s; rides.stages.0.duration=90s; monitor.scan_interval=25s
            0 token; 75 class stale, send retry; 75.2 accepted retry, class fresh; 90 send end
            90.2 accepted end, token invalidated

        scans: an end scheduled at a scan before the ride was over comes at that scan
            clock.duration=230s; rides.stages.0.duration=190s; monitor.scan_interval=25s; monitor.end_schedule=[0s, 40s]
            faults.0={kind: apns_silent, at: 50s, duration: 180s}
            0 token; 75 class stale, send retry; 175 class severe, send end; 225 send end

        reordering: the answer to older content comes last and changes nothing
            clock.duration=130s; content.updates_at=[55s]; sender.request_time=20s
            0 token; 55 send update; 60 class stale, send retry; 75 accepted update, class fresh; 80 accepted retry
            120 class stale, send retry

        kill and restart: the decision to end is kept, and its schedule begins again
            clock.duration=210s; monitor.end_schedule=[0s, 30s]; faults.0={kind: apns_silent, at: 50s, duration: 130s}
            0 token; 60 class stale, send retry; 160 class severe, send end; 170 restart, send end; 200 send end
            200.2 accepted end, token invalidated

        kill and restart: a fresh instance stays fresh until its content lapses
            clock.duration=61s
            0 token; 30 restart; 60 class stale, send retry; 60.2 accepted retry, class fresh

        kill and restart: content whose push has no answer is sent again
            clock.duration=115s; content.updates_at=[30s]; sender.request_time=20s
            0 token; 30 send update; 35 restart, send update; 55 accepted update; 90 class stale, send retry
            110 accepted retry, class fresh

        kill and restart: the ride is over, and its end without an answer is sent again
            clock.duration=90s; rides.stages.0.duration=50s; monitor.end_schedule=[0s, 30s]
            faults.0={kind: apns_silent, at: 45s, duration: 7s}
            0 token; 50 send end; 55 restart, send end; 55.2 accepted end, token invalidated

        kill and restart: an unacknowledged withdrawal is kept
            clock.duration=90s; rides.stages.0.duration=50s; monitor.end_schedule=[0s, 30s]; sender.request_time=20s
            0 token; 50 send end; 51 token invalidated; 55 restart

        kill and restart: the ride was over after the decision to end, and no end waits for a scan
            clock.duration=230s; rides.stages.0.duration=180s; monitor.scan_interval=25s; monitor.end_schedule=[0s, 40s]
            faults.0={kind: apns_silent, at: 50s, duration: 180s}
            0 token; 75 class stale, send retry; 175 class severe, send end; 185 restart, send end; 225 send end

        kill and restart: content goes to the token that was published last
            clock.duration=79s; content.updates_at=[47s]; devices.token.post=10s; devices.token.rotation=40s
            sender.request_time=5s
            10 token; 47 send update; 50 token, send update; 51 restart, send update; 56 accepted update

        kill and restart: an episode continues, and its retries begin again
            clock.duration=130s; monitor.retry.schedule=[0s, 25s, 70s]
            faults.0={kind: apns_silent, at: 50s, duration: 60s}
            0 token; 60 class stale, send retry; 85 send retry; 95 restart, class stale, send retry; 120 send retry
            120.2 accepted retry, class fresh
        """
    )
}
