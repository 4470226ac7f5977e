import LifecycleTraces
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Riders with several rides, on one phone")
struct RiderTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        A rider books again some time after the last ride, up to a number of rides
            clock.duration=1h; rides.again={share: 1, after: 50s, most: 3}; ride=100000000000
            ride: 150 requested, ride 1 of the rider, stage 0; 250 completed
            values: ridesRequested 3; ridesBookedAgain 2; ridesWithOldCard 0; activitiesStarted 3; leftOver 0

        The third ride is the last
            clock.duration=1h; rides.again={share: 1, after: 50s, most: 3}; ride=200000000000
            ride: 300 requested, ride 2 of the rider, stage 0; 400 completed

        No ride is requested after the end of arrivals
            clock.duration=150s; rides.again={share: 1, after: 50s}
            values: ridesRequested 1; ridesBookedAgain 0

        A rider who never books again has one ride
            clock.duration=1h; rides.again={share: 0, after: 50s}
            values: ridesRequested 1; ridesBookedAgain 0; leftOver 0

        A cancelled ride may be followed by another
            clock.duration=1h; rides.again={share: 1, after: 50s}; ride=100000000000
            rides.cancellation={share: 1, after: 20s}
            ride: 70 requested, ride 1 of the rider, stage 0; 90 cancelled

        # The end of the first ride is lost: its card stays until Apple's limit, at 300.
        The app takes a left-over card for that of the next ride, which gets none
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.loss=1
            devices.system_limit=300s
            activity: 150 start failed: oldCard, start failed: givenUp
            values: ridesWithOldCard 1; startsFailedOldCard 1; ridesWithoutActivity 1; oldCardTime 100s

        # Apple's limit takes the old card at 290.
        An app may start its card beside the left-over one
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.loss=1
            devices.system_limit=300s; devices.start.most_cards=2
            activity: 150 started; 450 ended: systemLimit, end reported
            values: ridesWithOldCard 1; startsFailedOldCard 0; endedLeftOver 0; oldCardTime 100s

        iOS refuses a card beyond the limit of cards, which counts those of earlier rides
            clock.duration=350s; rides.again={share: 1, after: 50s, most: 3}; ride=200000000000; apns.loss=1
            devices.system_limit=1h; devices.start.most_cards=2
            activity: 300 start failed: atSystemLimit, start failed: givenUp
            values: ridesWithOldCard 2; startsFailedAtSystemLimit 1; activitiesStarted 2

        iOS refuses a card beyond the limit that a push starts, too
            clock.duration=350s; rides.again={share: 1, after: 50s, most: 3}; ride=200000000000
            devices.start={by: push, most_cards: 2}; devices.system_limit=1h
            devices.token.never=1
            activity: 300 start dropped: tooManyCards; 400 start failed: givenUp
            values: startsAtCardLimit 1; activitiesStarted 2

        # Pushes take 60 s, so the end of the first ride arrives at 160, and an update of the second at 190.
        A push that APNs stores for one card replaces that of another, if it stores one for each phone
            clock.duration=400s; rides.again={share: 1, after: 10s}; devices.start.most_cards=5; apns.latency=60s
            faults.0={kind: devices_offline, at: 150s, duration: 60s}; content.updates_at=[20s]; apns.storage=one_per_phone
            push: 80 update shown; 160 stored end until 210; 210 end replacedInStore …

        A push that APNs stores for one card replaces no other, if it stores one for each activity
            clock.duration=400s; rides.again={share: 1, after: 10s}; devices.start.most_cards=5; apns.latency=60s
            faults.0={kind: devices_offline, at: 150s, duration: 60s}; content.updates_at=[20s]
            push: 80 update shown; 160 stored end until 210; 210 end ended …

        The app starts a card of its own once the left-over card is gone
            clock.duration=300s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.loss=1
            rides.stages.0.duration=200s; devices.system_limit=290s; devices.start={attempts: 3, retry_after: 30s}
            activity: 250 start failed: oldCard; 280 start failed: oldCard; 310 started; 600 ended: systemLimit, end reported
            values: ridesWithOldCard 1; startsFailedOldCard 2; oldCardTime 40s; leftOver 0

        An app that compares the IDs of rides ends the left-over card, and starts one of its own
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.loss=1
            devices.system_limit=300s; devices.start={compares_rides: true, time: 10s}
            activity: 160 ended the card of 0, started; 460 ended: systemLimit, end reported
            values: ridesWithOldCard 1; endedLeftOver 1; startsFailedOldCard 0; oldCardTime 10s; endedSystemLimit 1
            values: displayedTime 450s; leftOver 0

        The card of the first ride ends when the app starts the next
            clock.duration=200s; rides.again={share: 1, after: 50s}; apns.loss=1
            devices.system_limit=300s; devices.start={compares_rides: true, time: 10s}
            activity: 10 started; 160 ended: leftOver, end reported

        A start by push adds a card beside the left-over one, unless the app compares
            clock.duration=200s; rides.again={share: 1, after: 50s}; apns.end_expiration=1s; devices.start.by=push
            faults.0={kind: devices_offline, at: 95s, duration: 45s}; monitor.end_schedule=[0s]; devices.system_limit=300s
            activity: 0 started; 300 ended: systemLimit, end reported
            values: ridesWithOldCard 1; activitiesStarted 2; oldCardTime 100s

        An app that a start by push wakes compares, too
            clock.duration=200s; rides.again={share: 1, after: 50s}; apns.end_expiration=1s
            faults.0={kind: devices_offline, at: 95s, duration: 45s}; monitor.end_schedule=[0s]
            devices.start={by: push, compares_rides: true}
            activity: 0 started; 150 ended: leftOver, end reported
            values: ridesWithOldCard 1; endedLeftOver 1; oldCardTime 0

        # Two of the three pushes of the first ride come within the window of an hour; the window goes on.
        The phone's budget goes on to the next ride
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000
            devices.budget={limit: 3}; content.refresh_priority=10; content.updates_at=[20s, 40s]
            push: 170 update shown; 190 update throttled; 250 end ended

        A phone without the next ride has a budget of its own
            clock.duration=200s; devices.budget={limit: 3}; content.refresh_priority=10; content.updates_at=[20s, 40s]
            push: 20 update shown; 40 update shown; 100 end ended

        # The first ride's update takes one of two at 30, and its second end, which reaches the old card at 170, the other.
        Cards that share a budget throttle each other
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.end_expiration=1s
            faults.0={kind: devices_offline, at: 95s, duration: 45s}; devices.start.by=push; monitor.feedback=delivery
            monitor.end_schedule=[0s, 70s]; content.refresh_priority=10; content.updates_at=[30s]
            devices.budget={limit: 2, ends_exempt: false, shared: true}
            push: 150 start started; 180 update throttled …

        Cards with budgets of their own do not
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000; apns.end_expiration=1s
            faults.0={kind: devices_offline, at: 95s, duration: 45s}; devices.start.by=push; monitor.feedback=delivery
            monitor.end_schedule=[0s, 70s]; content.refresh_priority=10; content.updates_at=[30s]
            devices.budget={limit: 2, ends_exempt: false}
            push: 150 start started; 180 update shown …

        The second end of the first ride ends the old card
            clock.duration=200s; rides.again={share: 1, after: 50s}; apns.end_expiration=1s
            faults.0={kind: devices_offline, at: 95s, duration: 45s}; devices.start.by=push; monitor.feedback=delivery
            monitor.end_schedule=[0s, 70s]; content.refresh_priority=10; content.updates_at=[30s]
            devices.budget={limit: 2, ends_exempt: false, shared: true}
            activity: 0 started; 170 ended: rideOver, end reported
            values: oldCardTime 20s

        # The budget of two starts is full at first, and each comes back after 1000 s.
        The phone's budget for starts by push goes on
            clock.duration=1h; rides.again={share: 1, after: 50s, most: 3}; ride=200000000000
            devices.start={by: push, push_budget: {starts: 2, refill: 1000s}}
            push+activity: 300 start dropped: overBudget, start startIgnored; 400 start failed: givenUp
            values: startsOverBudget 1; activitiesStarted 2

        # Online until 120, offline until 220.
        An offline period goes on from one ride to the next
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000
            devices.connectivity={online: 120s, offline: 100s}
            token: 150 token yielded; 220 token posted; 250 token invalidated

        # The token changes at 120, while no app runs; the app that books the next ride posts the new one.
        The push-to-start token goes on, and an app that books posts the new one
            clock.duration=200s; rides.again={share: 1, after: 50s}; ride=100000000000
            devices.start={by: push, token_rotation: 120s}; apns.expired_token_lag=1h
            token+push: 150 start token posted, start started, token yielded, token posted; 250 token invalidated, end ended
            values: startsToOldToken 0; activitiesStarted 2
        """
    )

    @Test("A phone allows activities in all rides of its rider, or in none")
    func allowed() throws {
        var scenario = Scenario.riders(200)
        scenario.devices.activitiesEnabled = Probability(0.5)
        let world = try ScenarioLoader.world(scenario)
        for rider in UInt64(0)..<20 {
            let starts = (UInt64(0)..<3)
                .map { count in
                    FinishedCell(world, ride: rider + count * RideNumber.step).story
                        .contains { $0.happening == .started }
                }
            #expect(Set(starts).count == 1, "rider \(rider)")
        }
    }

    @Test("The numbers of cells and other riders do not change a rider's rides")
    func cells() throws {
        var scenario = Scenario.riders(60)
        scenario.devices.connectivity.online = .exponential(mean: 60e6)
        scenario.devices.connectivity.offline = .exponential(mean: 60e6)
        scenario.rides.again?.share = Probability(0.7)
        scenario.rides.again?.after = .exponential(mean: 100e6)
        scenario.apns.loss = Probability(0.3)
        func stories() throws -> [[StoryLine]] {
            let world = try ScenarioLoader.world(scenario)
            let assignment = CellAssignment(world, replication: 0)
            return (0..<60)
                .map { index in
                    let ride = UInt64(index % 20) + UInt64(index / 20) * RideNumber.step
                    return FinishedCell(world, ride: ride, cell: assignment.cell(ofRide: ride)).story
                }
        }
        let alone = try stories()
        scenario.cells = 7
        #expect(try stories() == alone)
        #expect(alone.filter { !$0.isEmpty }.count > 30)
    }

    @Test("The first ride of a rider is found from each of the rider's rides")
    func numbers() {
        #expect(RideNumber.first(ofRider: 12) == 12)
        #expect(RideNumber.first(ofRider: RideNumber.next(after: 12)) == 12)
        #expect(RideNumber.first(ofRider: 12 + 9 * RideNumber.step) == 12)
        #expect(RideNumber.count(before: 12 + 9 * RideNumber.step) == 9)
        #expect(RideNumber.first(ofRider: UInt64.max - 5) == UInt64.max - 5)
        #expect(12 + UInt64(Scenario.Again.mostRides) * RideNumber.step < 1 << 40)
    }
}

extension Scenario {
    /// Riders with three rides of 100 s each, 50 s apart, in an hour.
    fileprivate static func riders(_ count: Int) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .hours(1)
        scenario.clock.drain = .hours(1)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = count
        scenario.rides.stages = [Stage(name: "ride", duration: .constant(100e6))]
        var again = Again(share: .always)
        again.after = .constant(50e6)
        again.most = 3
        scenario.rides.again = again
        return scenario
    }
}
