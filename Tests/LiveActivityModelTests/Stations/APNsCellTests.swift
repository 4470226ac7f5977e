import FreshnessCore
import Quantities
import ScenarioLanguage
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("APNs: the origin of the latency, losses by priority, and the queue")
struct APNsQueueTests {
    // MARK: - Losses

    @Test(
        "Pushes of priority 5 have a separate loss if it is given",
        arguments: [(.never, .always, ["lost", "shown"]), (.always, .never, ["shown", "lost"])]
            + [(.never, nil, ["shown", "shown"]), (.always, nil, ["lost", "lost"])]
            as [(Probability, Probability?, [String])]
    )
    func considerateLoss(loss: Probability, considerate: Probability?, fates: [String]) throws {
        var scenario = Scenario.ride(10, 90)
        scenario.content.stateChangePriority = .considerate
        scenario.apns.loss = loss
        scenario.apns.considerateLoss = considerate
        scenario.update(at: 30)
        let log = try FinishedCell(scenario).log(.push)
        #expect(Array(log.prefix(2)) == ["10 update \(fates[0])", "30 update \(fates[1])"])
    }

    // MARK: - Latency from the response

    @Test(
        "The latency counts from the request or from the response",
        arguments: [(.request, "15 update shown"), (.response, "18 update shown")] as [(Scenario.LatencyOrigin, String)]
    )
    func origin(origin: Scenario.LatencyOrigin, line: String) throws {
        var scenario = Scenario.ride(100)
        scenario.apns.latency = .seconds(5)
        scenario.apns.latencyFrom = origin
        scenario.sender.requestTime = .seconds(3)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario).log(.push).first == line)
    }

    @Test(
        "A push is delivered even if its acceptance is not received, unless the latency counts from the response",
        arguments: Scenario.LatencyOrigin.allCases,
        [true, false]
    )
    func unheard(origin: Scenario.LatencyOrigin, byTimeOut: Bool) throws {
        var scenario = Scenario.ride(100)
        scenario.apns.latencyFrom = origin
        scenario.apns.latency = .seconds(1)
        scenario.sender.requestTime = .seconds(8)
        scenario.sender.timeout = .seconds(byTimeOut ? 5 : 60)
        if !byTimeOut {
            scenario.faults = [.init(kind: .connectionLost, at: .seconds(15))]
        }
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).contains("15 unanswered update"))
        // A connection that is lost after 5 s does not affect a push that was delivered after one.
        let isShown = origin == .request
        #expect(cell.log(.push).contains("11 update shown") == isShown)
        #expect(cell.log(.push).contains { $0.hasSuffix("update shown") } == isShown)
        let endIsMissed = byTimeOut && origin == .response
        #expect(cell[.fateNotAccepted] == (isShown ? 0 : 1) + (endIsMissed ? 3 : 0))
        #expect(cell.leftOver.pushes == 0)
    }

    @Test("Before the response a token may die, and a ride may end")
    func deadBeforeResponse() throws {
        var scenario = Scenario.ride(100)
        scenario.apns.latencyFrom = .response
        scenario.sender.requestTime = .seconds(8)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(15)
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["18 update deadToken"])
        #expect(cell.leftOver == .init())
    }

    @Test("A token that is replaced before the response is dead, even though the server has the new one")
    func replacedBeforeResponse() throws {
        var scenario = Scenario.ride(100)
        scenario.apns.latencyFrom = .response
        scenario.sender.requestTime = .seconds(8)
        scenario.devices.token.rotation = .seconds(15)
        scenario.update(at: 5, 10)
        #expect(try FinishedCell(scenario).log(.push).prefix(2) == ["13 update shown", "18 update deadToken"])
    }

    // MARK: - The queue

    /// A number of rides whose updates at second 10 go to one server that needs 2 s for each.
    private static func queue(_ rides: Int, _ change: (inout Scenario.Capacity) -> Void = { _ in }) -> Scenario {
        var scenario = Scenario.ride(1000).times(rides)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .seconds(2)
        change(&capacity)
        scenario.apns.capacity = capacity
        scenario.sender.timeout = .seconds(60)
        scenario.update(at: 10)
        scenario.clock.drain = .seconds(900)
        return scenario
    }

    /// The lines about requests and pushes of all rides, by ride.
    private static func logs(_ scenario: Scenario) throws -> [[String]] {
        try (0..<UInt64(scenario.rides.arrivals.count))
            .map { ride in
                try FinishedCell(scenario, ride: ride).log(.request, .push).filter { !$0.contains("queued") }
            }
    }

    @Test(
        "Requests wait for a server and are served; then the response takes its time",
        arguments: [(1, [12, 14, 16, 18]), (2, [12, 12, 14, 14]), (3, [12, 12, 12, 14]), (9, [12, 12, 12, 12])]
    )
    func firstInFirstOut(servers: Int, served: [Int]) throws {
        var scenario = Self.queue(4) { $0.servers = servers }
        scenario.sender.requestTime = .seconds(1)
        scenario.apns.latency = .seconds(0.5)
        #expect(
            try Self.logs(scenario)
                == served.map { ["10 sent update", "\($0).5 update shown", "\($0 + 1) accepted update"] }
        )
        scenario.apns.latencyFrom = .response
        #expect(
            try Self.logs(scenario)
                == served.map { ["10 sent update", "\($0 + 1) accepted update", "\($0 + 1).5 update shown"] }
        )
    }

    @Test("The newest request goes first in a last-in, first-out queue; a service that has begun is completed")
    func lastInFirstOut() throws {
        let accepted = try Self.logs(Self.queue(4) { $0.order = .lifo }).map { $0[1] }
        #expect(accepted == [12, 18, 16, 14].map { "\($0) accepted update" })
    }

    @Test("Rejections need no server")
    func refusal() throws {
        var scenario = Self.queue(2)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: .always)]
        #expect(try Self.logs(scenario).map { $0[1] } == ["10 refused update: 429", "10 refused update: 429"])
    }

    @Test(
        "Requests are served whether or not their sender has given up, and their pushes are delivered",
        arguments: [
            // Served at 12, 14, 16 and 18 with a timeout at 14: a service that ends exactly then is in time.
            (.request, ["accepted at 12, shown at 12", "accepted at 14, shown at 14", "shown at 16", "shown at 18"]),
            (.response, ["accepted at 12, shown at 12", "accepted at 14, shown at 14", "", ""]),
        ] as [(Scenario.LatencyOrigin, [String])]
    )
    func timedOut(origin: Scenario.LatencyOrigin, fates: [String]) throws {
        var scenario = Self.queue(4)
        scenario.apns.latencyFrom = origin
        scenario.sender.timeout = .seconds(4)
        #expect(try Self.fates(scenario) == fates)
        let cell = try FinishedCell(scenario)
        #expect(cell[.responsesTimedOut] == 2)
        #expect(cell[.fateNotAccepted] == (origin == .request ? 0 : 2))
        #expect(cell.leftOver.pushes == 0)
    }

    private static func fates(_ scenario: Scenario) throws -> [String] {
        try logs(scenario)
            .map { log in
                log.compactMap { line in
                    let words = line.split(separator: " ")
                    return switch words[1] {
                    case "accepted": "accepted at \(words[0])"
                    case "update": "\(words[2]) at \(words[0])"
                    default: nil
                    }
                }
                .joined(separator: ", ")
            }
    }

    @Test("Expired requests are discarded at no cost when their turn comes")
    func dropExpired() throws {
        // Turns at 10, 12 and 14, when the third is exactly 4 s old; at 16 the others have expired.
        var scenario = Self.queue(5) { $0.dropExpired = true }
        scenario.sender.timeout = .seconds(4)
        #expect(
            try Self.fates(scenario) == [
                "accepted at 12, shown at 12", "accepted at 14, shown at 14", "shown at 16", "", "",
            ]
        )
        let cell = try FinishedCell(scenario)
        #expect(cell[.fateNotAccepted] == 2)
        #expect(cell.leftOver.pushes == 0)
    }

    @Test("Requests of a lost connection leave the queue, but not the server that processes one")
    func lostConnection() throws {
        var scenario = Self.queue(3)
        scenario.sender.attempts = 2
        scenario.sender.reconnectAfter = .zero
        scenario.faults = [.init(kind: .connectionLost, at: .seconds(11))]
        // Lost at 11 and sent again at once; the server is busy with the first until 12.
        #expect(
            try Self.fates(scenario) == [14, 16, 18].map { "accepted at \($0), shown at \($0)" }
        )
        let cell = try FinishedCell(scenario)
        #expect(cell[.responsesConnectionLost] == 3)
        #expect(cell[.fateNotAccepted] == 3)
        #expect(cell.leftOver.pushes == 0)
    }

    @Test(
        "A fault in the capacity delays requests in service and in the queue",
        arguments: [(0, ["23", "25"]), (0.5, ["13", "17"]), (1, ["12", "14"])] as [(Double, [String])]
    )
    func capacityFault(factor: Double, served: [String]) throws {
        var scenario = Self.queue(2)
        scenario.fail(.apnsCapacity, from: 11, to: 22)
        scenario.faults[0].factor = factor
        #expect(try Self.logs(scenario).map { $0[1] } == served.map { "\($0) accepted update" })
    }

    @Test(
        "After a pause the sender receives whichever came first, the response or the timeout",
        arguments: [(4, "accepted"), (5, "accepted"), (7, "unanswered")] as [(Int64, String)]
    )
    func pausedSender(service: Int64, heard: String) throws {
        // Sent at 10; the timeout at 15 is within the pause.
        var scenario = Self.queue(1) { $0.serviceTime = .seconds(Double(service)) }
        scenario.sender.timeout = .seconds(5)
        scenario.fail(.senderPaused, from: 12, to: 30)
        let log = try Self.logs(scenario)[0]
        #expect(log == ["10 sent update", "\(10 + service) update shown", "30 \(heard) update"])
    }

    @Test("Pushes that wait at APNs when the run ends count as in flight")
    func horizon() throws {
        var scenario = Self.queue(4)
        scenario.clock.drain = .seconds(12)
        let cell = try FinishedCell(scenario)
        #expect(cell[.inFlightAtHorizon] == 3)
        #expect(cell[.fateShown] == 1)
    }
}
