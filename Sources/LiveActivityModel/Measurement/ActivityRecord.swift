import FreshnessCore
public import Quantities

/// The record of one activity that is finished: its times, summed over all of its lives.
public struct ActivityRecord: Hashable, Sendable {
    /// The ride's number.
    public let ride: UInt64
    /// When the ride was requested.
    public let requestedAt: Instant
    /// Measured time on a screen [µs].
    public internal(set) var displayedTime: Int64 = 0
    /// The part of ``displayedTime`` past the content's stale date, by cause; during the ride, then after it.
    var staleTimes: [Int64]
    /// The part of ``displayedTime`` with a stage that was over, by cause.
    var wrongStageTimes: [Int64]
    /// Measured time on a screen by the stage that it showed [µs]; ends with the last stage shown.
    var shownTimes: [Int64] = []
    /// The largest age on its screen [µs].
    public internal(set) var largestAge: Int64 = 0
    /// The largest absolute error of the ETA on its screen [µs]; 0 if the scenario has no ETA.
    public internal(set) var largestETAError: Int64 = 0
    /// Time with a driver in which no screen showed the driver's photo [µs]; 0 if photos are not followed.
    public internal(set) var photoMissingTime: Int64 = 0
    /// Time of a leftover card that showed something over [µs]: of the activity after its ride, and of the card that stayed
    /// after the end of the activity.
    public internal(set) var leftoverWrongTime: Int64 = 0
    /// Retries that the monitor handed to the sender, including those that the sender dropped.
    public internal(set) var retries: Int64 = 0
    /// Its last end; nil if it was never on a screen, or still is.
    public internal(set) var end: StoryLine.EndReason?

    init(ride: UInt64, requestedAt: Instant) {
        self.ride = ride
        self.requestedAt = requestedAt
        staleTimes = [Int64](repeating: 0, count: 2 * Whereabouts.allCases.count)
        wrongStageTimes = [Int64](repeating: 0, count: Whereabouts.allCases.count)
    }

    /// A cause of stale time, or of time in a wrong stage.
    public struct Cause: Hashable, Sendable {
        /// The location of newer content, or of the end.
        public let place: Whereabouts
        /// `true` if the ride was over.
        public let isAfterRide: Bool

        /// All causes, those during the ride first.
        public static let all = [false, true]
            .flatMap { after in Whereabouts.allCases.map { Cause(place: $0, isAfterRide: after) } }
    }

    /// The time in which the screen showed a stage, current or over [µs].
    public func shownTime(ofStage stage: Int) -> Int64 { shownTimes.indices.contains(stage) ? shownTimes[stage] : 0 }

    /// The time past the stale date [µs], for one cause or for all.
    public func staleTime(_ cause: Cause? = nil) -> Int64 {
        cause.map { staleTimes[$0.place.part(isAfterRide: $0.isAfterRide)] } ?? staleTimes.reduce(0, +)
    }

    /// The time in a stage that was over [µs], for one cause or for all.
    public func wrongStageTime(_ cause: Cause? = nil) -> Int64 {
        guard let cause else { return wrongStageTimes.reduce(0, +) }
        return cause.isAfterRide ? 0 : wrongStageTimes[Int(cause.place.rawValue)]
    }
}

/// A search for activities while their cells run.
public struct ActivitySearch: Sendable {
    /// The quantity that activities are searched by.
    public enum Criterion: Hashable, Sendable {
        case staleTime(ActivityRecord.Cause?)
        case wrongStageTime(ActivityRecord.Cause?)
        /// The largest age on a screen.
        case age
        /// The largest error of the ETA on a screen.
        case etaError
        /// The time with a driver without the driver's photo.
        case photoMissingTime
        /// The time of leftover cards with something over.
        case leftoverWrongTime
        case retries
        /// The time in which its screen showed a stage, by index.
        case shownTime(stage: Int)
        /// Selects the activity of one ride.
        case ride(UInt64)

        /// The value of the quantity for an activity.
        public func value(_ record: ActivityRecord) -> Int64 {
            switch self {
            case .staleTime(let cause): record.staleTime(cause)
            case .wrongStageTime(let cause): record.wrongStageTime(cause)
            case .age: record.largestAge
            case .etaError: record.largestETAError
            case .photoMissingTime: record.photoMissingTime
            case .leftoverWrongTime: record.leftoverWrongTime
            case .retries: record.retries
            case .shownTime(let stage): record.shownTime(ofStage: stage)
            case .ride(let ride): record.ride == ride ? 1 : 0
            }
        }
    }

    /// An additional condition on activities.
    public struct Filter: Hashable, Sendable {
        /// The quantity.
        public let criterion: Criterion
        /// The minimum value; above 0.
        public let least: Int64

        /// Creates a condition that an activity meets from a minimum value on.
        public init(_ criterion: Criterion, atLeast least: Int64) {
            self.criterion = criterion
            self.least = max(1, least)
        }
    }

    private let criterion: Criterion
    private let filter: Filter?
    private let count: Int
    /// The activities with the largest values, in descending order.
    ///
    /// Activities with equal values are ordered by ride. An activity whose value is 0 is not included.
    public private(set) var found: [ActivityRecord] = []
    /// The unfinished records, by the slots of their activities.
    private var open: [UInt32: ActivityRecord] = [:]

    /// The stages of each ride with their start times, by the slots of activities.
    private var stages: [UInt32: [(at: Instant, stage: Int)]] = [:]

    /// Creates a search for a number of activities.
    public init(_ criterion: Criterion, count: Int, filter: Filter? = nil) {
        self.criterion = criterion
        self.filter = filter
        self.count = count
    }

    /// Adds the results of another search.
    public mutating func add(_ other: [ActivityRecord]) {
        for record in other { offer(record) }
    }

    private mutating func offer(_ record: ActivityRecord) {
        let value = criterion.value(record)
        guard value > 0, filter.map({ $0.criterion.value(record) >= $0.least }) ?? true else { return }
        let place = found.firstIndex { other in
            let otherValue = criterion.value(other)
            return otherValue < value || otherValue == value && record.ride < other.ride
        }
        found.insert(record, at: place ?? found.count)
        if found.count > count { found.removeLast() }
    }

    /// Records that a ride enters a stage.
    mutating func stageBegan(_ activity: Handle<Activity>, at instant: Instant) {
        stages[activity.number, default: []].append((instant, activity.stage))
    }

    /// The stage that a screen shows: the stage of the ride when its content was generated.
    private func stageShown(_ activity: Handle<Activity>) -> Int {
        let content = activity.phone.content.generatedAt
        return stages[activity.number]?.last { $0.at <= content }?.stage ?? 0
    }

    mutating func note(_ activity: Handle<Activity>, displayed: Int64, stale: Int64, isWrongStage: Bool) {
        var record = record(of: activity)
        record.displayedTime += displayed
        if activity.isRideOver { record.leftoverWrongTime += displayed }
        let stage = stageShown(activity)
        while record.shownTimes.count <= stage { record.shownTimes.append(0) }
        record.shownTimes[stage] += displayed
        record.staleTimes[activity.cause] += stale
        if isWrongStage { record.wrongStageTimes[activity.cause] += displayed }
        open[activity.number] = record
    }

    private func record(of activity: Handle<Activity>) -> ActivityRecord {
        open[activity.number] ?? ActivityRecord(ride: activity.ride, requestedAt: activity.requestedAt)
    }

    /// Records the largest absolute error of the ETA over an interval on a screen.
    mutating func note(_ activity: Handle<Activity>, etaError error: Int64) {
        var record = record(of: activity)
        record.largestETAError = max(record.largestETAError, error)
        open[activity.number] = record
    }

    /// Records time without the driver's photo, and time of the card of an ended activity with something over.
    mutating func note(_ activity: Handle<Activity>, photoMissing: Int64 = 0, leftoverWrong: Int64 = 0) {
        var record = record(of: activity)
        record.photoMissingTime += photoMissing
        record.leftoverWrongTime += leftoverWrong
        open[activity.number] = record
    }

    /// Records the largest age of a life on the screen.
    mutating func note(_ activity: Handle<Activity>, largestAge: Int64) {
        guard let former = open[activity.number]?.largestAge else { return }
        open[activity.number]?.largestAge = max(former, largestAge)
    }

    /// Completes the record of an activity that is finished.
    mutating func close(_ activity: Handle<Activity>) {
        stages[activity.number] = nil
        guard var record = open.removeValue(forKey: activity.number) else { return }
        record.retries = Int64(activity.pushNumbers.retryCount)
        record.end = activity.phone.phase == .live ? nil : activity.lastEnd
        offer(record)
    }
}
