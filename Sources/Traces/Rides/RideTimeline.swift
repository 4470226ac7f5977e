import Quantities

/// The moments of one ride in its row, and the repair of unclean rows.
///
/// All decisions about rows are made here. First, unusable rows are left out, each for the first applicable reason of
/// ``Omission``. Then each ``Repair`` is tried in order; a row may need several and counts once for each. The result is
/// in order: request ≤ acceptance ≤ arrival ≤ pickup < drop-off.
///
/// Times are in microseconds since 1970, in UTC if the trace states a zone, otherwise on the local clock.
struct RideTimeline: Hashable {
    var requested: Int64?
    /// The acceptance by a driver.
    var accepted: Int64?
    /// The driver's arrival at the pickup.
    var arrived: Int64?
    /// The pickup of the rider.
    var pickedUp: Int64?
    /// The drop-off of the rider.
    var droppedOff: Int64?
    /// The cancellation of the ride.
    var cancelled: Int64?
    /// `true` if the row is of a completed ride.
    var isCompleted = true
    /// `true` if a time of the row cannot be parsed.
    var hasUnparsableTime = false
    /// The offset of the row's clock from the times above [µs].
    var offset: Int64 = 0
}

extension RideTimeline {
    /// The reason why a row is left out, in the order in which the reasons are tried.
    enum Omission: String, CaseIterable {
        /// A time cannot be parsed.
        case unparsableTime = "unparsable_time"
        case noRequest = "no_request"
        case noPickup = "no_pickup"
        case noDropoff = "no_dropoff"
        case dropoffNotAfterPickup = "dropoff_not_after_pickup"
        /// The ride was not completed, but has no time of cancellation.
        case noCancellation = "no_cancellation"
        case cancellationBeforeRequest = "cancellation_before_request"
        /// After all repairs, the ride takes longer from request to end than the scenario allows.
        case longerThanLimit = "longer_than_limit"
    }

    /// The repair of a row, in the order in which repairs are tried.
    enum Repair: String, CaseIterable {
        /// A moment comes after the cancellation; it is removed.
        case momentAfterCancellation = "moment_after_cancellation"
        /// The arrival comes after the pickup; it is set to the pickup.
        case arrivalAfterPickup = "arrival_after_pickup"
        /// The acceptance comes after the arrival or the pickup; it is set to that moment.
        case acceptedAfterArrival = "accepted_after_arrival"
        /// The pickup comes before the request, as in rides booked ahead whose "request" is the booked time.
        ///
        /// The request is set to the first moment of the ride in progress (acceptance, arrival, pickup).
        case pickupBeforeRequest = "pickup_before_request"
        /// The arrival comes before the request; it is set to the request.
        case arrivalBeforeRequest = "arrival_before_request"
        /// The acceptance comes before the request; it is set to the request.
        case acceptedBeforeRequest = "accepted_before_request"
        /// The arrival is missing; it is set ``RideTimeline/dwellShare`` of the wait before the pickup, but not before
        /// the acceptance.
        case arrivalMissing = "arrival_missing"
        /// The acceptance is missing; it is set ``RideTimeline/matchingShare`` of the way from request to arrival.
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

    /// The outcome of a row.
    enum Outcome: Hashable {
        /// A ride with its repairs.
        case ride(Ride, repairs: [Repair])
        /// A row that is left out.
        case leftOut(Omission)
    }

    /// A ride with its moments in order.
    struct Ride: Hashable {
        var requested: Int64
        /// The durations of the stages: matching, driver on the way, driver waiting, on trip.
        ///
        /// A cancelled ride has those that it began.
        var stages: [TimeSpan]
        /// `true` if it was cancelled.
        var isCancelled: Bool
    }

    /// Determines the outcome of the row, given the longest plausible ride from request to end.
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

    /// Sets the moments without a column in the file by the durations of the four stages.
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

    /// Repairs the moments between request and end, and returns the request, which may also move.
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

    /// Returns a share [1/1000] of a span, rounded down; the span may be as long as from the year 1 to 9999.
    private static func part(_ share: Int64, of span: Int64) -> Int64 {
        span / 1000 * share + span % 1000 * share / 1000
    }
}
