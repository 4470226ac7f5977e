import Quantities
import Testing

@testable import InputFiles
@testable import Traces

@Suite("Ride timeline")
struct RideTimelineTests {
    /// A row of a decision table, with small numbers for times: acceptance, arrival, pickup and end.
    struct Row: CustomTestStringConvertible {
        let timeline: RideTimeline
        let ride: RideTimeline.Ride
        let repairs: [RideTimeline.Repair]

        init(
            _ times: [Int64?],
            droppedOff: Int64? = nil,
            cancelled: Int64? = nil,
            requested: Int64 = 1000,
            _ stages: [Int64],
            _ repairs: [RideTimeline.Repair] = []
        ) {
            timeline = RideTimeline(
                requested: 1000,
                accepted: times[0],
                arrived: times[1],
                pickedUp: times[2],
                droppedOff: droppedOff,
                cancelled: cancelled,
                isCompleted: cancelled == nil
            )
            ride = RideTimeline.Ride(
                requested: requested,
                stages: stages.map { TimeSpan(microseconds: $0) },
                isCancelled: cancelled != nil
            )
            self.repairs = repairs
        }

        var testDescription: String { "\(repairs.map(\.rawValue)) \(ride.stages)" }
    }

    static let completedRides = [
        Row([1010, 1200, 1230], droppedOff: 2000, [10, 190, 30, 770]),
        Row([1000, 1000, 1000], droppedOff: 1001, [0, 0, 0, 1]),
        Row([1010, 1240, 1230], droppedOff: 2000, [10, 220, 0, 770], [.arrivalAfterPickup]),
        Row([1210, 1200, 1230], droppedOff: 2000, [200, 0, 30, 770], [.acceptedAfterArrival]),
        Row([1240, 1250, 1230], droppedOff: 2000, [230, 0, 0, 770], [.arrivalAfterPickup, .acceptedAfterArrival]),
        // A booking in advance: the ride starts before it is "requested".
        Row([700, 900, 950], droppedOff: 2000, requested: 700, [0, 200, 50, 1050], [.pickupBeforeRequest]),
        Row(
            [nil, 900, 950],
            droppedOff: 2000,
            requested: 900,
            [0, 0, 50, 1050],
            [.pickupBeforeRequest, .acceptedMissing]
        ),
        Row(
            [nil, nil, 950],
            droppedOff: 2000,
            requested: 950,
            [0, 0, 0, 1050],
            [.pickupBeforeRequest, .arrivalMissing, .acceptedMissing]
        ),
        // The driver was there before the request.
        Row([nil, 900, 1030], droppedOff: 2000, [0, 0, 30, 970], [.arrivalBeforeRequest, .acceptedMissing]),
        Row([900, 1010, 1030], droppedOff: 2000, [0, 10, 20, 970], [.acceptedBeforeRequest]),
        Row([800, 900, 1030], droppedOff: 2000, [0, 0, 30, 970], [.arrivalBeforeRequest, .acceptedBeforeRequest]),
        // 169 of 1000 before the pickup; 30 of 1000 of the 831 until then.
        Row([nil, nil, 2000], droppedOff: 3000, [24, 807, 169, 1000], [.arrivalMissing, .acceptedMissing]),
        Row([1100, nil, 2000], droppedOff: 3000, [100, 731, 169, 1000], [.arrivalMissing]),
        Row([1900, nil, 2000], droppedOff: 3000, [900, 0, 100, 1000], [.arrivalMissing]),
        Row([nil, 2000, 2100], droppedOff: 3000, [30, 970, 100, 900], [.acceptedMissing]),
    ]

    static let cancelledRides = [
        Row([nil, nil, nil], cancelled: 1000, [0]),
        Row([nil, nil, nil], cancelled: 1060, [60]),
        Row([1010, nil, nil], cancelled: 1060, [10, 50]),
        Row([1010, 1040, nil], cancelled: 1060, [10, 30, 20]),
        Row([1010, 1040, 1050], cancelled: 1060, [10, 30, 10, 10]),
        Row([1060, nil, nil], cancelled: 1060, [60, 0]),
        Row([1010, 1061, nil], cancelled: 1060, [10, 50], [.momentAfterCancellation]),
        Row([nil, 1200, 1300], cancelled: 1060, [60], [.momentAfterCancellation]),
        Row([nil, 1100, nil], cancelled: 1160, [3, 97, 60], [.acceptedMissing]),
        Row([nil, 900, nil], cancelled: 1160, [0, 0, 160], [.arrivalBeforeRequest, .acceptedMissing]),
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
        #expect(row.timeline.cleaned(longestRide: .hours(6)) == .ride(row.ride, repairs: row.repairs))
    }

    @Test("Cancelled rides have the stages that they started", arguments: cancelledRides)
    func cancelled(row: Row) {
        #expect(row.timeline.cleaned(longestRide: .hours(6)) == .ride(row.ride, repairs: row.repairs))
    }

    @Test("The tables contain every repair and every omission, under the names in results")
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

    @Test("Omitted rows, each with the first reason that applies", arguments: omissions)
    func leftOut(timeline: RideTimeline, reason: RideTimeline.Omission) {
        #expect(timeline.cleaned(longestRide: TimeSpan(microseconds: 100)) == .leftOut(reason))
    }

    @Test("A ride over the whole range of dates is computed without overflow and omitted")
    func longestPossible() throws {
        let first = try #require(CivilTime.microseconds(of: Array("0001-01-01 00:00:00".utf8)[...]))
        let last = try #require(CivilTime.microseconds(of: Array("9999-12-31 23:59:59".utf8)[...]))
        let timeline = RideTimeline(requested: first, pickedUp: last - 1, droppedOff: last)
        #expect(timeline.cleaned(longestRide: .hours(6)) == .leftOut(.longerThanLimit))
    }

    @Test("A ride of exactly the limit is kept")
    func limit() {
        let timeline = RideTimeline(requested: 1, accepted: 1, arrived: 1, pickedUp: 2, droppedOff: 101)
        let row = Row([1, 1, 2], droppedOff: 101, requested: 1, [0, 0, 1, 99])
        #expect(timeline.cleaned(longestRide: TimeSpan(microseconds: 100)) == .ride(row.ride, repairs: []))
    }

    @Test("For any times, a ride is in order, keeps its end, and is unchanged if it was clean")
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
