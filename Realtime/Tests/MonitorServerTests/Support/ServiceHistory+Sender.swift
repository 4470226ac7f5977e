import LifecycleTraces

extension ServiceHistory {
    /// Histories of rides whose pushes meet a sender with little capacity.
    ///
    /// There is one stream, and a request is answered after 30 s, so pushes wait. Rides begin a second apart. Their
    /// content is fresh for hours, so only regular updates and ends are sent. A line names a request's ride, kind,
    /// priority and attempt. Lines of one instant are in alphabetical order, because a service reports the results of an
    /// instant without an order. For pushes that are not sent it reports only the reason.
    static let ofSender: [ServiceHistory] = read(
        as: .sender,
        """
        in turn: waiting pushes are sent in order, an end before updates, whose token is then gone
            clock.duration=200s; content.updates_at=[10s, 12s, 14s]; rides.stages.0.duration=50s
            10 send r0 update p10 #0; 40 accepted r0 update, send r0 update p10 #0
            70 accepted r0 update, send r0 end p10 #0; 100 accepted r0 end, not sent: abandoned

        ranks: if ends come last, they wait for updates that are no longer needed
            clock.duration=200s; content.updates_at=[10s, 12s]; rides.stages.0.duration=35s
            sender.ranks={end: 7, update: 0}
            10 send r0 update p10 #0; 40 accepted r0 update, not sent: abandoned, send r0 end p10 #0; 70 accepted r0 end

        a full queue drops the newcomer
            clock.duration=100s; content.updates_at=[10s, 12s, 14s]; sender.queue_limit=1
            10 send r0 update p10 #0; 14 not sent: queue_full; 40 accepted r0 update, send r0 update p10 #0
            70 accepted r0 update

        a full queue drops the oldest for the newcomer
            clock.duration=100s; content.updates_at=[10s, 12s, 14s]; sender.queue_limit=1; sender.overflow=drop_oldest
            10 send r0 update p10 #0; 14 not sent: displaced; 40 accepted r0 update, send r0 update p10 #0
            70 accepted r0 update

        a full queue: a push without a place returns until it has one
            clock.duration=100s; content.updates_at=[10s, 12s]; sender.queue_limit=0; sender.requeue_after=13s
            10 send r0 update p10 #0; 40 accepted r0 update; 51 send r0 update p10 #0; 81 accepted r0 update

        patience ends, in the queue and outside it
            clock.duration=100s; content.updates_at=[10s, 12s, 14s]; sender.queue_limit=1; sender.requeue_after=7s
            sender.patience=12s
            10 send r0 update p10 #0; 24 not sent: expired; 26 not sent: expired; 40 accepted r0 update

        waiting updates are merged
            clock.duration=100s; content.updates_at=[10s, 12s, 14s]; sender.coalesce=true
            10 send r0 update p10 #0; 14 not sent: coalesced; 40 accepted r0 update, send r0 update p10 #0
            70 accepted r0 update

        above the rate: dropped
            clock.duration=100s; content.updates_at=[10s, 12s, 14s, 25s]; sender.streams=100
            sender.rate_limit={per_second: 0.1, burst: 1, excess: drop}
            10 send r0 update p10 #0; 12 not sent: rate_limited; 14 not sent: rate_limited; 25 send r0 update p10 #0
            40 accepted r0 update; 55 accepted r0 update

        above the rate: waits for the next token
            clock.duration=100s; content.updates_at=[10s, 12s, 14s]; sender.streams=100
            sender.rate_limit={per_second: 0.1, burst: 1}
            10 send r0 update p10 #0; 20 send r0 update p10 #0; 30 send r0 update p10 #0; 40 accepted r0 update
            50 accepted r0 update; 60 accepted r0 update

        several rides: the end of one goes before the update of another
            clock.duration=200s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s, 14s]
            rides.stages.0.duration=50s
        # Both updates, and the end that was created after 30 s because the first one still waited.
            10 send r0 update p10 #0; 40 accepted r0 update, send r1 update p10 #0
            70 accepted r1 update, send r0 end p10 #0; 100 accepted r0 end, send r1 end p10 #0
            130 accepted r1 end, not sent: abandoned, not sent: abandoned, not sent: abandoned

        several rides: a full queue drops the push of one for that of another
            clock.duration=100s; rides.arrivals={process: even, count: 3, spread: 3s}; content.updates_at=[10s]
            sender.queue_limit=1; sender.overflow=drop_oldest
            10 send r0 update p10 #0; 12 not sent: displaced; 40 accepted r0 update, send r2 update p10 #0
            70 accepted r2 update

        several rides: an end displaces updates and older ends, an update displaces no end
            clock.duration=90s; rides.arrivals={process: even, count: 3, spread: 3s}; content.updates_at=[10s, 46.5s]
            rides.stages.0.duration=48s; sender.queue_limit=1; sender.overflow=drop_oldest
        # Displaced ends are created again after 30 s: r0's takes the place, and r1's then displaces it.
            10 send r0 update p10 #0; 12 not sent: displaced; 40 accepted r0 update, send r2 update p10 #0
            47.5 not sent: displaced; 48 not sent: displaced; 48.5 not sent: queue_full; 49 not sent: displaced
            50 not sent: displaced; 70 accepted r2 update, send r2 end p10 #0; 79 not sent: displaced

        several rides: updates join that of their own ride, in its place with their priority
            clock.duration=150s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s, 12s]
            sender.coalesce=true; content.refresh_priority=5
            10 send r0 update p5 #0; 13 not sent: coalesced; 40 accepted r0 update, send r1 update p5 #0
            70 accepted r1 update, send r0 update p5 #0; 100 accepted r0 update

        outage: a request that timed out is repeated until the attempts are used up
            clock.duration=250s; content.updates_at=[10s]; sender.attempts=3
            faults.0={kind: apns_silent, at: 5s, duration: 245s}
            10 send r0 update p10 #0; 70 send r0 update p10 #1, unanswered r0 update
            130 send r0 update p10 #2, unanswered r0 update; 190 unanswered r0 update

        outage: the repeat meets APNs again
            clock.duration=250s; content.updates_at=[10s]; sender.attempts=3
            faults.0={kind: apns_silent, at: 5s, duration: 55s}
            10 send r0 update p10 #0; 70 send r0 update p10 #1, unanswered r0 update; 100 accepted r0 update

        outage: a budget withholds repeats, and a waiting push takes the stream
            clock.duration=250s; content.updates_at=[10s, 12s]; sender.attempts=3
            sender.retry_budget={capacity: 1, per_second: 0}; faults.0={kind: apns_silent, at: 5s, duration: 245s}
            10 send r0 update p10 #0; 70 send r0 update p10 #0, unanswered r0 update
            130 not repeated, send r0 update p10 #1, unanswered r0 update; 190 not repeated, unanswered r0 update

        lost connection: requests in flight are repeated after waiting ones, once a connection exists
            clock.duration=150s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s]
            sender.attempts=2; faults.0={kind: connection_lost, at: 20s}; sender.reconnect_after=15s
            10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r1 update p10 #0
            65 accepted r1 update, send r0 update p10 #1; 95 accepted r0 update

        lost connection: attempts are used up
            clock.duration=150s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s]
            faults.0={kind: connection_lost, at: 20s}; sender.reconnect_after=15s
            10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r1 update p10 #0; 65 accepted r1 update

        lost connection: an end that arrives meanwhile is sent before updates
            clock.duration=150s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s]
            rides.stages.0.duration=25s; faults.0={kind: connection_lost, at: 20s}; sender.reconnect_after=15s
        # Its update, and the end that was created after 30 s because the first one still waited.
            10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r0 end p10 #0
            65 accepted r0 end, send r1 end p10 #0; 95 accepted r1 end, not sent: abandoned, not sent: abandoned

        lost connection: patience ends, with and without one
            clock.duration=150s; rides.arrivals={process: even, count: 3, spread: 3s}; content.updates_at=[10s]
            sender.patience=20s; faults.0={kind: connection_lost, at: 20s}; sender.reconnect_after=15s
            10 send r0 update p10 #0; 20 unanswered r0 update; 31 not sent: expired; 32 not sent: expired

        # The cell knows when its connection is back; see `SenderRules.joins(whileConnected:)`.
        lost connection: by joins(whileConnected:) a service keeps only the newest update, whatever the scenario
            clock.duration=96s; content.updates_at=[10s, 22s, 24s]; faults.0={kind: connection_lost, at: 20s}
            sender.reconnect_after=15s
            10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r0 update p10 #0
            65 accepted r0 update, send r0 update p10 #0; 95 accepted r0 update
            service: 10 send r0 update p10 #0; 20 unanswered r0 update; 24 not sent: coalesced; 35 send r0 update p10 #0
            65 accepted r0 update

        GOAWAY: a request named as unprocessed is repeated like one without an answer
            clock.duration=150s; rides.arrivals={process: even, count: 2, spread: 2s}; content.updates_at=[10s]
            unprocessed; sender.attempts=2; faults.0={kind: connection_lost, at: 20s}; sender.reconnect_after=15s
            10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r1 update p10 #0
            65 accepted r1 update, send r0 update p10 #1; 95 accepted r0 update

        # Without a wire the cell sees no streams: requests on a lost connection got no answer.
        GOAWAY: after the last attempt, a request named as unprocessed is repeated once in a service
            clock.duration=150s; content.updates_at=[10s]; unprocessed; faults.0={kind: connection_lost, at: 20s}
            sender.reconnect_after=15s; faults.1={kind: connection_lost, at: 45s}
            10 send r0 update p10 #0; 20 unanswered r0 update
            service: 10 send r0 update p10 #0; 20 unanswered r0 update; 35 send r0 update p10 #1
            45 unanswered r0 update

        # A service sends content that may not have arrived to a new token; a server in the cell only sends content
        # that it never sent: see `MonitorRules.sendsUnconfirmed`.
        rotation: waiting pushes outlive the old token; by sendsUnconfirmed a service also sends them to the new one
            clock.duration=41s; content.updates_at=[10s, 12s]; devices.token.post=2s; devices.token.rotation=21s
            apns.expired_token_lag=3600s; sender.coalesce=true
            10 send r0 update p10 #0; 40 accepted r0 update, send r0 update p10 #0
            service: 10 send r0 update p10 #0; 23 not sent: coalesced; 40 accepted r0 update, send r0 update p10 #0
        """
    )
}
