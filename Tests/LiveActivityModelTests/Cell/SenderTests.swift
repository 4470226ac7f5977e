import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The sender's queue, connections and timeouts")
struct SenderTests {
    /// One connection that carries one request at a time.
    private static func narrow(_ count: Int, requestTime: Double) -> Scenario {
        var scenario = Scenario.ride(100).times(count)
        scenario.sender.streams = 1
        scenario.sender.requestTime = .seconds(requestTime)
        scenario.sender.timeout = .minutes(1)
        return scenario
    }

    // MARK: - The queue

    @Test("Pushes wait for the stream in order of arrival")
    func firstInFirstOut() throws {
        var scenario = Self.narrow(3, requestTime: 2)
        scenario.update(at: 10)
        for ride in UInt64(0)..<3 {
            let cell = try FinishedCell(scenario, ride: ride)
            let wait = ride * 2
            #expect(
                cell.log(.request) == [
                    "10 queued update", "\(10 + wait) sent update", "\(12 + wait) accepted update",
                    "100 queued end", "\(100 + wait) sent end", "\(102 + wait) accepted end",
                ]
            )
            // Waits of 0, 2 and 4 s for the updates, and the same for the ends.
            #expect(cell.measurements[.sendWait].count == 6)
            #expect(cell.measurements[.sendWait].sum == 12_000_000)
            #expect(cell.measurements[.sendWait].largest == 4_000_000)
            #expect(cell.measurements.senderCourse.mostQueued == 2)
        }
    }

    @Test(
        "The number of requests in flight is that of the streams on all connections",
        arguments: [(1, 4), (2, 2), (4, 1)]
    )
    func streams(connections: Int, streams: Int) throws {
        var scenario = Self.narrow(8, requestTime: 2)
        scenario.sender.connections = connections
        scenario.sender.streams = streams
        scenario.update(at: 10)
        let sent = try (UInt64(0)..<8).map { try FinishedCell(scenario, ride: $0).log(.request)[1] }
        #expect(sent == (0..<8).map { "\($0 < 4 ? 10 : 12) sent update" })
    }

    // MARK: - Coalescing and limits

    @Test("A new update replaces a waiting one, with the newest content")
    func coalescing() throws {
        var scenario = Self.narrow(1, requestTime: 30)
        scenario.sender.coalesce = true
        scenario.update(at: 10, 12, 14, 16)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request, .push).prefix(9) == [
                "10 queued update", "10 sent update", "10 update shown", "12 queued update",
                "14 update not sent: coalesced", "16 update not sent: coalesced", "40 accepted update",
                "40 sent update", "40 update shown",
            ]
        )
        let shown = cell.story.filter { $0.happening == .fate(.update, .shown) }.map(\.screen)
        #expect(
            shown
                == ([10, 16] as [Int64])
                .map { second in
                    let generatedAt = Instant.start + .seconds(second)
                    return .content(ContentStamp(generatedAt: generatedAt, staleDate: generatedAt + .minutes(1)))
                }
        )
        #expect(cell[.pushesCoalesced] == 2)
        #expect(cell[.updatesSent] == 2)
    }

    @Test("An update for an activity that was created again does not replace one for its former life")
    func coalescingAcrossLives() throws {
        var scenario = Self.narrow(1, requestTime: 10)
        scenario.sender.coalesce = true
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(15)
        scenario.devices.swipe.recreated = .always
        scenario.update(at: 12, 14, 16)
        #expect(
            try FinishedCell(scenario).log(.push).dropLast() == [
                "12 update shown", "22 update afterEnd", "32 update shown",
            ]
        )
    }

    // MARK: - Timeouts

    @Test("A response at exactly the timeout counts", arguments: [(10.0, 2), (10.000001, 0)])
    func timeoutIsExact(requestTime: Double, accepted: Int64) throws {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(requestTime)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario)[.responsesAccepted] == accepted)
    }

    // MARK: - Lost connections

    @Test("A connection that is lost again while it is closed reopens at the original time")
    func lostWhileDown() throws {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(5)
        scenario.sender.attempts = 2
        scenario.sender.reconnectAfter = .seconds(3)
        scenario.apns.latency = .seconds(5)
        scenario.fail(.connectionLost, from: 12, to: 12)
        scenario.fail(.connectionLost, from: 14, to: 14)
        scenario.sender.connections = 2
        scenario.sender.streams = 1
        scenario.fail(.connectionLost, from: 50, to: 50)
        scenario.update(at: 10, 13, 14.5, 51)
        // At 15 the first loss is over for both connections; at 17 there is nothing left to reopen.
        let sent = try FinishedCell(scenario).log(.request).filter { $0.hasSuffix("sent update") }
        #expect(sent == ["10 sent update", "15 sent update", "15 sent update", "20 sent update", "53 sent update"])
    }

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        # Rides 0 to 2 become stale at 60; their updates of 59 hold the stream and the queue.
        A retry overtakes the updates of others
            rides.arrivals.count=3; sender={streams: 1, request_time: 5s, timeout: 1m}; watched
            monitor.retry.schedule=[0s]; content.updates_at=[59s]; ride=2
            request: 59 queued update; 60 queued retry; 74 sent retry; 79 accepted retry …

        A retry that is merged into a waiting update raises its priority
            sender={streams: 1, request_time: 30s, timeout: 1m, coalesce: true}; watched; monitor.retry.schedule=[0s]
            content.refresh_priority=5; content.updates_at=[55s, 56s]
            request: 55 queued update, sent update at 5; 56 queued update; 60 retry not sent: coalesced
            85 accepted update, sent update …

        # The end of ride 0 holds the stream until 140; that of ride 1 waits, and is with APNs when a third would be
        # due.
        A waiting end makes a second one unnecessary
            rides.arrivals.count=2; sender={streams: 1, request_time: 40s, timeout: 1m, coalesce: true}
            monitor.end_schedule=[0s, 30s, 50s]; ride=1
            request: 100 queued end; 130 end not sent: coalesced; 140 sent end; 180 accepted end

        A push that finds the queue full is dropped
            sender={streams: 1, request_time: 30s, timeout: 1m, queue_limit: 1}; content.updates_at=[10s, 12s, 14s]
            request: 10 queued update, sent update; 12 queued update; 14 update not sent: queueFull …
            values: pushesOverQueueLimit 1

        # Three updates, and two ends before the phone has reported that the first has worked.
        A request that times out is retried, although its push may still arrive later
            sender={request_time: 15s, attempts: 3}; apns.latency=12s; content.updates_at=[10s]
            request+push: 10 queued update, sent update; 20 unanswered update, queued update, sent update
            22 update shown; 30 unanswered update, queued update, sent update; 32 update older; 40 unanswered update
            42 update older …
            values: responsesTimedOut 5; responsesAccepted 0; leftOver.pushes 0

        A retried push replaces the push of the first request in the store
            sender={request_time: 15s, attempts: 2}; apns.latency=1s
            faults.0={kind: devices_offline, at: 5s, duration: 17s}; content.updates_at=[10s, 12s]
            push: 11 stored update until 22; 13 stored update until 22; 21 stored update until 22
            22 update replacedInStore, update shown, update replacedInStore; 23 update shown …

        The requests on a lost connection were not processed, and are retried on the next one
            sender={request_time: 5s, attempts: 2, reconnect_after: 3s}; apns.latency=5s
            faults.0={kind: connection_lost, at: 12s}; content.updates_at=[10s]
            request+push: 10 queued update, sent update; 12 unanswered update, queued update; 15 sent update
            20 accepted update, update shown …
            values: responsesConnectionLost 1; fateNotAccepted 1; leftOver.pushes 0

        With a share of zero, no connection is lost
            sender={request_time: 5s, attempts: 2, reconnect_after: 3s}; apns.latency=5s
            faults.0={kind: connection_lost, at: 12s, share: 0}; content.updates_at=[10s]
            values: responsesConnectionLost 0

        # Updates for the rides 1 and 2 wait since 10, ends for all since 11: the updates are no longer needed.
        Ends overtake waiting updates
            rides.arrivals.count=3; rides.stages.0.duration=11s; content.updates_at=[10s]; ride=1
            sender={streams: 1, request_time: 5s, timeout: 1m, ranks: {end: 0}}
            request: 10 queued update; 11 queued end; 20 sent end; 25 accepted end; 30 update not sent: tokenGone

        Ends of the same rank do not overtake waiting updates
            rides.arrivals.count=3; rides.stages.0.duration=11s; content.updates_at=[10s]; ride=1
            sender={streams: 1, request_time: 5s, timeout: 1m, ranks: {end: 1}}
            request: 10 queued update; 11 queued end; 15 update not sent: tokenGone; 20 sent end; 25 accepted end

        # The update of 10 is stored at 11 and lost at 12; those of 20 and 21 are stored after it.
        A push that APNs stores and that is then lost with its connection leaves no trace in the store
            rides.arrivals.count=2; rides.stages.0.duration=40s; content.updates_at=[10s, 20s, 21s]; apns.latency=1s
            sender={request_time: 5s, reconnect_after: 3s}; faults.0={kind: connection_lost, at: 12s}
            faults.1={kind: devices_offline, at: 10s, duration: 20s}
            push: 11 stored update until 30; 21 stored update until 30; 22 stored update until 30
            30 update replacedInStore, update shown; 41 end ended

        A push of the second ride that is lost with its connection leaves no trace in the store either
            rides.arrivals.count=2; rides.stages.0.duration=40s; content.updates_at=[10s, 20s, 21s]; apns.latency=1s
            sender={request_time: 5s, reconnect_after: 3s}; faults.0={kind: connection_lost, at: 12s}; ride=1
            faults.1={kind: devices_offline, at: 10s, duration: 20s}
            push: 11 stored update until 30; 21 stored update until 30; 22 stored update until 30
            30 update replacedInStore, update shown; 41 end ended
        """
    )
}
