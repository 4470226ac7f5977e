import Quantities
import Testing

@testable import Experiments

@Suite("Ride timeline")
struct RideTimelineTests {
    /// One row of a decision table, with small numbers for times.
    struct Row: CustomTestStringConvertible {
        var accepted: Int64?
        var arrived: Int64?
        var pickedUp: Int64?
        var droppedOff: Int64?
        var cancelled: Int64?
        var requested: Int64 = 1000
        var stages: [Int64]
        var repairs: [RideTimeline.Repair]
        var isCancelled = false

        var testDescription: String { "\(repairs.map(\.rawValue)) \(stages)" }
        var ride: RideTimeline.Ride {
            RideTimeline.Ride(
                requested: requested,
                stages: stages.map { TimeSpan(microseconds: $0) },
                isCancelled: isCancelled
            )
        }
        var timeline: RideTimeline {
            RideTimeline(
                requested: 1000,
                accepted: accepted,
                arrived: arrived,
                pickedUp: pickedUp,
                droppedOff: droppedOff,
                cancelled: cancelled,
                isCompleted: !isCancelled
            )
        }
    }

    static let completedRides = [
        Row(
            accepted: 1010,
            arrived: 1200,
            pickedUp: 1230,
            droppedOff: 2000,
            stages: [10, 190, 30, 770],
            repairs: []
        ),
        Row(accepted: 1000, arrived: 1000, pickedUp: 1000, droppedOff: 1001, stages: [0, 0, 0, 1], repairs: []),
        Row(
            accepted: 1010,
            arrived: 1240,
            pickedUp: 1230,
            droppedOff: 2000,
            stages: [10, 220, 0, 770],
            repairs: [.arrivalAfterPickup]
        ),
        Row(
            accepted: 1210,
            arrived: 1200,
            pickedUp: 1230,
            droppedOff: 2000,
            stages: [200, 0, 30, 770],
            repairs: [.acceptedAfterArrival]
        ),
        Row(
            accepted: 1240,
            arrived: 1250,
            pickedUp: 1230,
            droppedOff: 2000,
            stages: [230, 0, 0, 770],
            repairs: [.arrivalAfterPickup, .acceptedAfterArrival]
        ),
        // Booked ahead: the ride goes on before it is "requested".
        Row(
            accepted: 700,
            arrived: 900,
            pickedUp: 950,
            droppedOff: 2000,
            requested: 700,
            stages: [0, 200, 50, 1050],
            repairs: [.pickupBeforeRequest]
        ),
        Row(
            arrived: 900,
            pickedUp: 950,
            droppedOff: 2000,
            requested: 900,
            stages: [0, 0, 50, 1050],
            repairs: [.pickupBeforeRequest, .acceptedMissing]
        ),
        Row(
            pickedUp: 950,
            droppedOff: 2000,
            requested: 950,
            stages: [0, 0, 0, 1050],
            repairs: [.pickupBeforeRequest, .arrivalMissing, .acceptedMissing]
        ),
        // The driver was there before the request.
        Row(
            arrived: 900,
            pickedUp: 1030,
            droppedOff: 2000,
            stages: [0, 0, 30, 970],
            repairs: [.arrivalBeforeRequest, .acceptedMissing]
        ),
        Row(
            accepted: 900,
            arrived: 1010,
            pickedUp: 1030,
            droppedOff: 2000,
            stages: [0, 10, 20, 970],
            repairs: [.acceptedBeforeRequest]
        ),
        Row(
            accepted: 800,
            arrived: 900,
            pickedUp: 1030,
            droppedOff: 2000,
            stages: [0, 0, 30, 970],
            repairs: [.arrivalBeforeRequest, .acceptedBeforeRequest]
        ),
        // 169 of 1000 before the pickup; 30 of 1000 of the 831 until then.
        Row(
            pickedUp: 2000,
            droppedOff: 3000,
            stages: [24, 807, 169, 1000],
            repairs: [.arrivalMissing, .acceptedMissing]
        ),
        Row(
            accepted: 1100,
            pickedUp: 2000,
            droppedOff: 3000,
            stages: [100, 731, 169, 1000],
            repairs: [.arrivalMissing]
        ),
        Row(
            accepted: 1900,
            pickedUp: 2000,
            droppedOff: 3000,
            stages: [900, 0, 100, 1000],
            repairs: [.arrivalMissing]
        ),
        Row(
            arrived: 2000,
            pickedUp: 2100,
            droppedOff: 3000,
            stages: [30, 970, 100, 900],
            repairs: [.acceptedMissing]
        ),
    ]

    static let cancelledRides = [
        Row(cancelled: 1000, stages: [0], repairs: [], isCancelled: true),
        Row(cancelled: 1060, stages: [60], repairs: [], isCancelled: true),
        Row(accepted: 1010, cancelled: 1060, stages: [10, 50], repairs: [], isCancelled: true),
        Row(accepted: 1010, arrived: 1040, cancelled: 1060, stages: [10, 30, 20], repairs: [], isCancelled: true),
        Row(
            accepted: 1010,
            arrived: 1040,
            pickedUp: 1050,
            cancelled: 1060,
            stages: [10, 30, 10, 10],
            repairs: [],
            isCancelled: true
        ),
        Row(accepted: 1060, cancelled: 1060, stages: [60, 0], repairs: [], isCancelled: true),
        Row(
            accepted: 1010,
            arrived: 1061,
            cancelled: 1060,
            stages: [10, 50],
            repairs: [.momentAfterCancellation],
            isCancelled: true
        ),
        Row(
            arrived: 1200,
            pickedUp: 1300,
            cancelled: 1060,
            stages: [60],
            repairs: [.momentAfterCancellation],
            isCancelled: true
        ),
        Row(
            arrived: 1100,
            cancelled: 1160,
            stages: [3, 97, 60],
            repairs: [.acceptedMissing],
            isCancelled: true
        ),
        Row(
            arrived: 900,
            cancelled: 1160,
            stages: [0, 0, 160],
            repairs: [.arrivalBeforeRequest, .acceptedMissing],
            isCancelled: true
        ),
    ]

    static let omissions: [(timeline: RideTimeline, reason: RideTimeline.Omission)] = [
        (RideTimeline(hasUnparsableTime: true), .unparsableTime),
        (RideTimeline(pickedUp: 1, droppedOff: 2), .noRequest),
        (RideTimeline(requested: 1, droppedOff: 2), .noPickup),
        (RideTimeline(requested: 1, pickedUp: 1), .noDropoff),
        (RideTimeline(requested: 1, pickedUp: 2, droppedOff: 2), .dropoffNotAfterPickup),
        (RideTimeline(requested: 1, pickedUp: 2, droppedOff: 1), .dropoffNotAfterPickup),
        (RideTimeline(requested: 1, pickedUp: 2, droppedOff: 3, isCompleted: false), .noCancellation),
        (RideTimeline(requested: 2, cancelled: 1, isCompleted: false), .cancellationBeforeRequest),
        (RideTimeline(requested: 1, pickedUp: 2, droppedOff: 102), .longerThanLimit),
        (RideTimeline(requested: 10, arrived: 1, pickedUp: 2, droppedOff: 102), .longerThanLimit),
        (RideTimeline(requested: 1, cancelled: 102, isCompleted: false), .longerThanLimit),
    ]

    @Test("Completed rides", arguments: completedRides)
    func completed(row: Row) {
        let ride = row.ride
        #expect(row.timeline.cleaned(longestRide: .hours(6)) == .ride(ride, repairs: row.repairs))
    }

    @Test("Cancelled rides have the stages that they began", arguments: cancelledRides)
    func cancelled(row: Row) {
        let ride = row.ride
        #expect(row.timeline.cleaned(longestRide: .hours(6)) == .ride(ride, repairs: row.repairs))
    }

    @Test("The tables have every repair and every omission, under the names that results show")
    func everyReason() {
        let repairs = Set((Self.completedRides + Self.cancelledRides).flatMap(\.repairs))
        #expect(RideTimeline.Repair.allCases.filter { !repairs.contains($0) } == [])
        #expect(
            RideTimeline.Repair.allCases.map(\.rawValue) == [
                "moment_after_cancellation", "arrival_after_pickup", "accepted_after_arrival", "pickup_before_request",
                "arrival_before_request", "accepted_before_request", "arrival_missing", "accepted_missing",
            ]
        )
        let omissions = Set(Self.omissions.map(\.reason))
        #expect(RideTimeline.Omission.allCases.filter { !omissions.contains($0) } == [])
        #expect(
            RideTimeline.Omission.allCases.map(\.rawValue) == [
                "unparsable_time", "no_request", "no_pickup", "no_dropoff", "dropoff_not_after_pickup",
                "no_cancellation",
                "cancellation_before_request", "longer_than_limit",
            ]
        )
    }

    @Test("Rows that are left out, each for the first reason that applies", arguments: omissions)
    func leftOut(timeline: RideTimeline, reason: RideTimeline.Omission) {
        #expect(timeline.cleaned(longestRide: TimeSpan(microseconds: 100)) == .leftOut(reason))
    }

    @Test("A ride through all the years that a date may have is reckoned without overflow, and left out")
    func longestPossible() throws {
        let first = try #require(CivilTime.microseconds(of: Array("0001-01-01 00:00:00".utf8)[...]))
        let last = try #require(CivilTime.microseconds(of: Array("9999-12-31 23:59:59".utf8)[...]))
        let timeline = RideTimeline(requested: first, pickedUp: last - 1, droppedOff: last)
        #expect(timeline.cleaned(longestRide: .hours(6)) == .leftOut(.longerThanLimit))
    }

    @Test("A ride of exactly the limit is kept")
    func limit() {
        let timeline = RideTimeline(requested: 1, accepted: 1, arrived: 1, pickedUp: 2, droppedOff: 101)
        let row = Row(requested: 1, stages: [0, 0, 1, 99], repairs: [])
        #expect(timeline.cleaned(longestRide: TimeSpan(microseconds: 100)) == .ride(row.ride, repairs: []))
    }

    @Test("Whatever the moments, a ride is in order, ends when it ended, and is unchanged if it was clean")
    func allSmallTimelines() {
        let moments: [Int64?] = [nil, 0, 1, 2, 3]
        for isCompleted in [true, false] {
            for accepted in moments {
                for arrived in moments {
                    for pickedUp in moments {
                        for end in Int64(0)...4 {
                            check(
                                RideTimeline(
                                    requested: 2,
                                    accepted: accepted,
                                    arrived: arrived,
                                    pickedUp: pickedUp,
                                    droppedOff: isCompleted ? end : nil,
                                    cancelled: isCompleted ? nil : end,
                                    isCompleted: isCompleted
                                ),
                                end: end
                            )
                        }
                    }
                }
            }
        }
    }

    private func check(_ timeline: RideTimeline, end: Int64) {
        let isUsable = timeline.isCompleted ? timeline.pickedUp.map { $0 < end } ?? false : end >= 2
        guard case .ride(let ride, let repairs) = timeline.cleaned(longestRide: .hours(1)) else {
            #expect(!isUsable, "\(timeline) was left out")
            return
        }
        #expect(isUsable, "\(timeline) was kept")
        let trail = "\(timeline) gave \(ride), \(repairs)"
        #expect(ride.stages.allSatisfy { $0 >= .zero }, "\(trail)")
        #expect(ride.requested + ride.stages.reduce(.zero, +).microseconds == end, "\(trail)")
        #expect(timeline.isCompleted ? ride.stages.count == 4 : (1...4).contains(ride.stages.count), "\(trail)")
        let given = [2, timeline.accepted, timeline.arrived, timeline.pickedUp, end]
        let isClean = given == given.compactMap { $0 }.sorted().map(Optional.some)
        if isClean { #expect(repairs == [], "\(trail)") }
        if timeline.isCompleted { #expect(repairs.isEmpty == isClean, "\(trail)") }
    }
}
