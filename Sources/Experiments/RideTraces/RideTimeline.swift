import Quantities

/// The moments of one ride as its row tells them, and how unclean ones are put right.
///
/// This is the one place that decides what becomes of a row. First, rows that cannot be used are left out, each for the
/// first of the reasons of ``Omission`` that applies. Then each ``Repair`` is tried, in its order; a row may need several
/// and counts once for each. What comes out is in order: request ≤ acceptance ≤ arrival ≤ pickup < drop-off.
///
/// Times are in microseconds since 1970, in UTC where the trace states a zone, else on the local clock.
struct RideTimeline: Hashable {
    /// The request.
    var requested: Int64?
    /// A driver took the ride.
    var accepted: Int64?
    /// The driver was at the pickup.
    var arrived: Int64?
    /// The rider got in.
    var pickedUp: Int64?
    /// The rider got out.
    var droppedOff: Int64?
    /// The ride was given up.
    var cancelled: Int64?
    /// Whether the row says that the ride came to its end.
    var isCompleted = true
    /// Whether a time of the row cannot be read.
    var hasUnparsableTime = false
    /// By how much the clock of the row is ahead of the times above [µs].
    var offset: Int64 = 0
}

extension RideTimeline {
    /// Why a row is left out, in the order in which the reasons are tried.
    enum Omission: String, CaseIterable {
        /// A time is there but cannot be read.
        case unparsableTime = "unparsable_time"
        case noRequest = "no_request"
        case noPickup = "no_pickup"
        case noDropoff = "no_dropoff"
        case dropoffNotAfterPickup = "dropoff_not_after_pickup"
        /// The ride was not completed but has no time at which it was given up.
        case noCancellation = "no_cancellation"
        case cancellationBeforeRequest = "cancellation_before_request"
        /// After all repairs, the ride takes longer from request to end than the scenario allows.
        case longerThanLimit = "longer_than_limit"
    }

    /// What is put right, in the order in which it is tried.
    enum Repair: String, CaseIterable {
        /// A moment comes after the ride was given up: it did not happen.
        case momentAfterCancellation = "moment_after_cancellation"
        /// The arrival comes after the pickup: it becomes the pickup.
        case arrivalAfterPickup = "arrival_after_pickup"
        /// The acceptance comes after the arrival, or after the pickup: it becomes that.
        case acceptedAfterArrival = "accepted_after_arrival"
        /// The pickup comes before the request, as in rides booked ahead, whose "request" is the time they were booked
        /// for: the request becomes the first moment that shows the ride going on (acceptance, arrival, pickup).
        case pickupBeforeRequest = "pickup_before_request"
        /// The arrival comes before the request: it becomes the request.
        case arrivalBeforeRequest = "arrival_before_request"
        /// The acceptance comes before the request: it becomes the request.
        case acceptedBeforeRequest = "accepted_before_request"
        /// There is no arrival: it is put ``RideTimeline/dwellShare`` of the wait before the pickup, but not before the
        /// acceptance.
        case arrivalMissing = "arrival_missing"
        /// There is no acceptance: it is put ``RideTimeline/matchingShare`` of the way from request to arrival.
        case acceptedMissing = "accepted_missing"
    }

    /// The share of the time from request to pickup that the driver waits for the rider [1/1000].
    ///
    /// The medians of Lyft's 5.7 million trips in New York in July 2026 (TLC): 0.77 of 4.55 minutes.
    static let dwellShare: Int64 = 169

    /// The share of the time from request to arrival until a driver takes the ride [1/1000].
    ///
    /// The median of 280 Lyft rides of 2016: 2.985 %.
    static let matchingShare: Int64 = 30

    /// What becomes of a row.
    enum Outcome: Hashable {
        /// A ride, and what was put right.
        case ride(Ride, repairs: [Repair])
        /// Not a ride.
        case leftOut(Omission)
    }

    /// A ride in order.
    struct Ride: Hashable {
        /// The request.
        var requested: Int64
        /// How long each stage lasted: matching, driver on the way, driver waiting, on trip; a cancelled ride has
        /// those that it began.
        var stages: [TimeSpan]
        /// Whether it was given up.
        var isCancelled: Bool
    }

    /// Decides what becomes of the row, given the longest ride from request to end that is believed.
    func cleaned(longestRide: TimeSpan) -> Outcome {
        if hasUnparsableTime { return .leftOut(.unparsableTime) }
        guard let requested else { return .leftOut(.noRequest) }
        let end: Int64
        if isCompleted {
            guard let pickedUp else { return .leftOut(.noPickup) }
            guard let droppedOff else { return .leftOut(.noDropoff) }
            if droppedOff <= pickedUp { return .leftOut(.dropoffNotAfterPickup) }
            end = droppedOff
        } else {
            guard let cancelled else { return .leftOut(.noCancellation) }
            if cancelled < requested { return .leftOut(.cancellationBeforeRequest) }
            end = cancelled
        }
        var repaired = self
        let (start, repairs) = repaired.repair(requested: requested, end: end)
        if end - start > longestRide.microseconds { return .leftOut(.longerThanLimit) }
        let moments = [start, repaired.accepted, repaired.arrived, repaired.pickedUp, end].compactMap { $0 }
        let stages = zip(moments.dropFirst(), moments).map { TimeSpan(microseconds: $0 - $1) }
        return .ride(Ride(requested: start, stages: stages, isCancelled: !isCompleted), repairs: repairs)
    }

    /// Puts moments that the file has no column for where the durations of four stages put them.
    mutating func fill(_ durations: [TimeSpan]) {
        let (matching, approach, waiting, trip) = (durations[0], durations[1], durations[2], durations[3])
        if pickedUp == nil, isCompleted, let requested {
            pickedUp =
                (arrived ?? (accepted ?? requested + matching.microseconds) + approach.microseconds)
                + waiting.microseconds
        }
        if requested == nil, let pickedUp {
            let there = arrived ?? pickedUp - waiting.microseconds
            let taken = accepted ?? there - approach.microseconds
            (requested, accepted, arrived) = (taken - matching.microseconds, taken, there)
        }
        if droppedOff == nil, isCompleted, let pickedUp { droppedOff = pickedUp + trip.microseconds }
    }

    /// Puts the moments between request and end right; returns the request, which may move too.
    private mutating func repair(requested: Int64, end: Int64) -> (requested: Int64, repairs: [Repair]) {
        var start = requested
        var repairs: [Repair] = []
        if !isCompleted, max(accepted ?? end, arrived ?? end, pickedUp ?? end) > end {
            accepted = accepted.flatMap { $0 > end ? nil : $0 }
            arrived = arrived.flatMap { $0 > end ? nil : $0 }
            pickedUp = pickedUp.flatMap { $0 > end ? nil : $0 }
            repairs.append(.momentAfterCancellation)
        }
        if let arrival = arrived, let pickup = pickedUp, arrival > pickup {
            arrived = pickup
            repairs.append(.arrivalAfterPickup)
        }
        if let acceptance = accepted, let next = arrived ?? pickedUp, acceptance > next {
            accepted = next
            repairs.append(.acceptedAfterArrival)
        }
        if let pickup = pickedUp, pickup < start {
            start = accepted ?? arrived ?? pickup
            repairs.append(.pickupBeforeRequest)
        }
        if let arrival = arrived, arrival < start {
            arrived = start
            repairs.append(.arrivalBeforeRequest)
        }
        if let acceptance = accepted, acceptance < start {
            accepted = start
            repairs.append(.acceptedBeforeRequest)
        }
        if let pickup = pickedUp, arrived == nil {
            arrived = max(accepted ?? start, pickup - Self.part(Self.dwellShare, of: pickup - start))
            repairs.append(.arrivalMissing)
        }
        if let arrival = arrived, accepted == nil {
            accepted = start + Self.part(Self.matchingShare, of: arrival - start)
            repairs.append(.acceptedMissing)
        }
        return (start, repairs)
    }

    /// A share [1/1000] of a span, rounded down; the span may be all the time between the years 1 and 9999.
    private static func part(_ share: Int64, of span: Int64) -> Int64 {
        span / 1000 * share + span % 1000 * share / 1000
    }
}
