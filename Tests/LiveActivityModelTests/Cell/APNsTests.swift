import FreshnessCore
import LifecycleTraces
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("APNs: responses, losses, storage and order")
struct APNsTests {
    // MARK: - Responses

    @Test("Every reason has its status, its count and its effect on the token", arguments: APNsReason.allCases)
    func refusals(reason: APNsReason) throws {
        var scenario = Scenario.ride(100)
        scenario.apns.reasons = [.init(reason: reason, share: .always)]
        scenario.sender.requestTime = .seconds(1)
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request)[2] == "11 refused update: \(reason.status)")
        #expect(cell.log(.token).contains("11 token discarded") == (reason.verdict == .tokenIsDead))
        // The end is sent three times, but only once after a reason that forbids it, and never without a token.
        let refusals: Int64 =
            switch reason.verdict {
            case .tokenIsDead: 1
            case .neverRetry: 2
            case .retryLater, .retryAfterRepair: 4
            }
        #expect(cell[reason.counter] == refusals)
        #expect(cell[.fateRefused] == cell[reason.counter])
        #expect(cell.log(.activity).contains("28800 ended: systemLimit"))
    }

    @Test("Rejections, losses and deliveries have their shares")
    func shares() throws {
        var scenario = Scenario.ride(100).times(1000)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: Probability(0.2))]
        scenario.apns.loss = Probability(0.25)
        scenario.update(at: 10)
        scenario.clock.drain = .seconds(50)
        let cell = try FinishedCell(scenario)
        func deviation(_ count: Int64, _ share: Double) -> Double {
            abs(Double(count) - 1000 * share) / (1000 * share * (1 - share)).squareRoot()
        }
        #expect(deviation(cell[.fateRefused], 0.2) < 4)
        #expect(deviation(cell[.fateLost], 0.2) < 4)
        #expect(deviation(cell[.fateShown], 0.6) < 4)
        #expect(cell[.fateRefused] + cell[.fateLost] + cell[.fateShown] == 1000)
    }

    // MARK: - Faults

    @Test("Two faults affect shares of requests independently")
    func halfUnavailable() throws {
        var scenario = Scenario.ride(100).times(1000)
        scenario.clock.drain = .seconds(50)
        scenario.fail(.apnsUnavailable, from: 5, to: 15, share: Probability(0.5))
        scenario.fail(.apnsUnavailable, from: 5, to: 15, share: Probability(0.5))
        scenario.update(at: 10)
        let refused = try FinishedCell(scenario)[.responses503]
        let spread: Double = (1000 * 0.75 * 0.25).squareRoot()
        #expect(abs(Double(refused) - 750) < 4 * spread)
    }

    // MARK: - The store

    private static func offline(_ storage: Scenario.PushStorage, expiration: Int64 = 180) -> Scenario {
        var scenario = Scenario.ride(100)
        scenario.apns.storage = storage
        scenario.apns.expiration = .seconds(expiration)
        scenario.fail(.devicesOffline, from: 20, to: 50)
        scenario.update(at: 25, 30, 35)
        return scenario
    }

    @Test(
        "APNs stores nothing, the newest push or every push for an offline phone",
        arguments: [
            (.none, 180, ["25 update notStored", "30 update notStored", "35 update notStored"]),
            (
                .one, 180,
                [
                    "25 stored update until 50", "30 stored update until 50", "35 stored update until 50",
                    "50 update replacedInStore", "50 update replacedInStore", "50 update shown",
                ]
            ),
            (
                .all, 180,
                [
                    "25 stored update until 50", "30 stored update until 50", "35 stored update until 50",
                    "50 update shown", "50 update shown", "50 update shown",
                ]
            ),
            (.all, 0, ["25 update notStored", "30 update notStored", "35 update notStored"]),
            (
                .all, 20,
                [
                    "25 update expired", "30 stored update until 50", "35 stored update until 50", "50 update shown",
                    "50 update shown",
                ]
            ),
            (.one, 15, ["25 update expired", "30 update expired", "35 stored update until 50", "50 update shown"]),
            (.one, 14, ["25 update expired", "30 update expired", "35 update expired"]),
        ] as [(Scenario.PushStorage, Int64, [String])]
    )
    func storage(storage: Scenario.PushStorage, expiration: Int64, log: [String]) throws {
        let cell = try FinishedCell(Self.offline(storage, expiration: expiration))
        #expect(cell.log(.push).dropLast() == log[...])
        #expect(cell.leftOver.pushes == 0)
    }

    @Test("A push that arrives when the phone comes online replaces no other push")
    func afterStore() throws {
        var scenario = Self.offline(.one)
        scenario.update(at: 25, 50)
        // The refresh is regular content, which comes after deliveries at the same instant.
        #expect(
            try FinishedCell(scenario).log(.push).dropLast() == [
                "25 stored update until 50", "50 update shown", "50 update shown",
            ]
        )
    }

    @Test(
        "An end is stored for as long as ends are",
        arguments: [(50, "150 end ended"), (49, "100 end expired"), (0, "100 end notStored")]
    )
    func storedEnd(expiration: Int64, fate: String) throws {
        var scenario = Scenario.ride(100)
        scenario.apns.expiration = .zero
        scenario.apns.endExpiration = .seconds(expiration)
        scenario.fail(.devicesOffline, from: 90, to: 150)
        #expect(try FinishedCell(scenario).log(.push).last == fate)
    }

    @Test("A regional outage affects its share of phones")
    func region() throws {
        var scenario = Self.offline(.none).times(1000)
        scenario.faults[0].share = Probability(0.3)
        let missed = Double(try FinishedCell(scenario)[.fateNotStored])
        // The same phones miss all three updates.
        #expect(missed.truncatingRemainder(dividingBy: 3) == 0)
        let spread: Double = (1000 * 0.3 * 0.7).squareRoot()
        #expect(abs(missed / 3 - 300) < 4 * spread)
    }

    // MARK: - Order and priority

    @Test(
        "A later push overtakes an earlier one, unless order is kept",
        arguments: [
            (true, ["13 update shown", "30 update older"]), (false, ["30 update shown", "30 update shown"]),
        ]
    )
    func order(mayReorder: Bool, log: [String]) throws {
        var scenario = Scenario.ride(100)
        scenario.apns.reorder = mayReorder
        scenario.apns.script = [.delivered(after: .seconds(20)), .delivered(after: .seconds(1))]
        scenario.update(at: 10, 12)
        #expect(try FinishedCell(scenario).log(.push).prefix(2) == log[...])
    }

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        An accepted push that is lost is believed to be shown
            apns.loss=1; content.updates_at=[10s]
            push: 10 update lost; 100 end lost
            monitor: 10 still fresh
            values: responsesAccepted 2

        A slow APNs delays responses and deliveries alike
            sender.request_time=2s; apns.latency=4s; faults.0={kind: apns_slow, at: 10s, duration: 10s}
            faults.0.factor=3; content.updates_at=[15s, 20s]; without=queued
            request+push: 15 sent update; 20 sent update; 21 accepted update; 22 accepted update; 24 update shown
            27 update older …

        A push of priority 5 is delayed
            rides.stages=[{name: s0, duration: 10s}, {name: s1, duration: 90s}]; content.state_change_priority=5
            devices.considerate_priority_delay=7s; apns.latency=1s; content.updates_at=[30s]
            push: 18 update shown; 31 update shown; 101 end ended
            has: 10 sent update at 5

        A silent APNs lets requests time out
            content.updates_at=[10s, 20s]; faults.0={kind: apns_silent, at: 10s, duration: 10s}
            request+push: 10 queued update, sent update; 20 unanswered update, queued update …
            values: fateNotAccepted 1; fateShown 1

        An APNs that is silent for no request accepts all
            content.updates_at=[10s, 20s]; faults.0={kind: apns_silent, at: 10s, duration: 10s, share: 0}
            request+push: 10 queued update, sent update, accepted update, update shown …
            values: fateNotAccepted 0; fateShown 2

        An unavailable APNs responds with 503
            content.updates_at=[10s, 20s]; faults.0={kind: apns_unavailable, at: 10s, duration: 10s}
            has: 10 refused update: 503
            values: responses503 1; fateShown 1

        An APNs that is unavailable for no request accepts all
            content.updates_at=[10s, 20s]; faults.0={kind: apns_unavailable, at: 10s, duration: 10s, share: 0}
            values: responses503 0; fateShown 2
        """
    )
}
