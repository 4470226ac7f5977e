import FreshnessCore
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
            #expect(cell.measurements[.queue] == 2)
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

    @Test("Ends overtake waiting updates, unless all have the same rank", arguments: [true, false])
    func priorities(hasPriorities: Bool) throws {
        var scenario = Self.narrow(3, requestTime: 5)
        scenario.rides.stages[0].duration = .seconds(11)
        scenario.sender.ranks.end = hasPriorities ? 0 : 1
        scenario.update(at: 10)
        // Updates for the rides 1 and 2 wait since 10, ends for all since 11: the updates are no longer needed.
        #expect(
            try FinishedCell(scenario, ride: 1).log(.request)
                == (hasPriorities
                    ? [
                        "10 queued update", "11 queued end", "20 sent end", "25 accepted end",
                        "30 update not sent: tokenGone",
                    ]
                    : [
                        "10 queued update", "11 queued end", "15 update not sent: tokenGone", "20 sent end",
                        "25 accepted end",
                    ])
        )
    }

    @Test("A retry overtakes the updates of others")
    func retriesGoFirst() throws {
        var scenario = Self.narrow(3, requestTime: 5)
        scenario.watch(retries: [0])
        // Rides 0 to 2 become stale at 60; their updates of 59 hold the stream and the queue.
        scenario.update(at: 59)
        #expect(
            try FinishedCell(scenario, ride: 2).log(.request).prefix(4) == [
                "59 queued update", "60 queued retry", "74 sent retry", "79 accepted retry",
            ]
        )
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

    @Test("A retry that is merged into a waiting update raises its priority")
    func coalescedRetry() throws {
        var scenario = Self.narrow(1, requestTime: 30)
        scenario.watch(retries: [0])
        scenario.sender.coalesce = true
        scenario.content.refreshPriority = .considerate
        scenario.update(at: 55, 56)
        #expect(
            try FinishedCell(scenario).log(.request).prefix(6) == [
                "55 queued update", "55 sent update at 5", "56 queued update", "60 retry not sent: coalesced",
                "85 accepted update", "85 sent update",
            ]
        )
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

    @Test("A waiting end makes a second one unnecessary")
    func coalescedEnds() throws {
        var scenario = Self.narrow(2, requestTime: 40)
        scenario.sender.coalesce = true
        scenario.monitor.endSchedule = [.zero, .seconds(30), .seconds(50)]
        // The end of ride 0 holds the stream until 140; that of ride 1 waits, and is with APNs when a third would be due.
        #expect(
            try FinishedCell(scenario, ride: 1).log(.request) == [
                "100 queued end", "130 end not sent: coalesced", "140 sent end", "180 accepted end",
            ]
        )
    }

    @Test("A push that finds the queue full is dropped")
    func queueLimit() throws {
        var scenario = Self.narrow(1, requestTime: 30)
        scenario.sender.queueLimit = 1
        scenario.update(at: 10, 12, 14)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(4) == [
                "10 queued update", "10 sent update", "12 queued update", "14 update not sent: queueFull",
            ]
        )
        #expect(cell[.pushesOverQueueLimit] == 1)
    }

    // MARK: - Timeouts

    @Test("A request that times out is retried, although its push may still arrive later")
    func timeouts() throws {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(15)
        scenario.sender.attempts = 3
        scenario.apns.latency = .seconds(12)
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request, .push).prefix(12) == [
                "10 queued update", "10 sent update", "20 unanswered update", "20 queued update", "20 sent update",
                "22 update shown", "30 unanswered update", "30 queued update", "30 sent update", "32 update older",
                "40 unanswered update", "42 update older",
            ]
        )
        // Three updates, and two ends before the phone has reported that the first has worked.
        #expect(cell[.responsesTimedOut] == 5)
        #expect(cell[.responsesAccepted] == 0)
        #expect(cell.leftOver.pushes == 0)
    }

    @Test("A retried push replaces the push of the first request in the store")
    func repeatedIntoStore() throws {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(15)
        scenario.sender.attempts = 2
        scenario.apns.latency = .seconds(1)
        scenario.fail(.devicesOffline, from: 5, to: 22)
        scenario.update(at: 10, 12)
        #expect(
            try FinishedCell(scenario).log(.push).prefix(7) == [
                "11 stored update until 22", "13 stored update until 22", "21 stored update until 22",
                "22 update replacedInStore", "22 update shown", "22 update replacedInStore", "23 update shown",
            ]
        )
    }

    @Test("A response at exactly the timeout counts", arguments: [(10.0, 2), (10.000001, 0)])
    func timeoutIsExact(requestTime: Double, accepted: Int64) throws {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(requestTime)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario)[.responsesAccepted] == accepted)
    }

    // MARK: - Lost connections

    private static func lossy() -> Scenario {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(5)
        scenario.sender.attempts = 2
        scenario.sender.reconnectAfter = .seconds(3)
        scenario.apns.latency = .seconds(5)
        return scenario
    }

    @Test("The requests on a lost connection were not processed, and are retried on the next one")
    func connectionLost() throws {
        var scenario = Self.lossy()
        scenario.fail(.connectionLost, from: 12, to: 12)
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request, .push).prefix(7) == [
                "10 queued update", "10 sent update", "12 unanswered update", "12 queued update", "15 sent update",
                "20 accepted update", "20 update shown",
            ]
        )
        #expect(cell[.responsesConnectionLost] == 1)
        #expect(cell[.fateNotAccepted] == 1)
        #expect(cell.leftOver.pushes == 0)
    }

    @Test("A connection that is lost again while it is closed reopens at the original time")
    func lostWhileDown() throws {
        var scenario = Self.lossy()
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

    @Test("With a share of zero, no connection is lost")
    func noShare() throws {
        var scenario = Self.lossy()
        scenario.fail(.connectionLost, from: 12, to: 12, share: .never)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario)[.responsesConnectionLost] == 0)
    }

    @Test("A push that APNs stores and that is then lost with its connection leaves no trace in the store")
    func storedAndLost() throws {
        var scenario = Self.lossy().times(2)
        scenario.sender.attempts = 1
        scenario.apns.latency = .seconds(1)
        scenario.fail(.connectionLost, from: 12, to: 12)
        scenario.fail(.devicesOffline, from: 10, to: 30)
        scenario.rides.stages[0].duration = .seconds(40)
        // Ride 0 and 1: the updates of 10 are stored at 11 and lost at 12; those of 20 and 21 are stored after them.
        scenario.update(at: 10, 20, 21)
        for ride in UInt64(0)..<2 {
            #expect(
                try FinishedCell(scenario, ride: ride).log(.push) == [
                    "11 stored update until 30", "21 stored update until 30", "22 stored update until 30",
                    "30 update replacedInStore", "30 update shown", "41 end ended",
                ]
            )
        }
    }
}
