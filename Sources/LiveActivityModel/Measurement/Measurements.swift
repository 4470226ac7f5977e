/// Everything that one cell measured in one replication: integers only, so that cells add up exactly.
public struct Measurements: Hashable, Sendable {
    var counters: [Int64]
    /// For each counter the first ride that it counted, where that is kept; `UInt64.max` for none.
    var firstRides: [UInt64]
    /// Sums per window.
    public internal(set) var series: Series
    /// Times spent on screens per stage of the ride, and, last, after its end.
    public internal(set) var stages: [StageTimes]
    /// The number of activities on screens, integrated over time [µs].
    public internal(set) var population: Int64 = 0
    var peakPopulation: Int64 = 0
    var peakQueue: Int64 = 0
    /// The age of what screens show over time, per stage of the ride, and, last, after its end.
    public internal(set) var ageByStage: [RampTally]
    /// The age that content had reached when newer content took its place, per stage in which it did.
    public internal(set) var peakAgeByStage: [Tally]
    /// From the beginning of each stage to the first screen that shows it; where none does, to the end of the stage.
    public internal(set) var stageLags: [Tally]
    /// How often each stage was over before a screen showed it.
    public internal(set) var stagesNeverShown: [Int64]
    /// For each threshold of the scenario the displayed time [µs] in which the age exceeded it, during rides and after them.
    var timeOverAge: [Int64]
    /// The mean of each activity's age over its own time on the screen, rounded to a microsecond.
    public internal(set) var activityAgeMean = Tally()
    /// The largest age that each activity's screen reached.
    public internal(set) var activityPeakAge = Tally()
    /// For each threshold, the share of its own time on the screen in which an activity's age exceeded it.
    public internal(set) var activityAgeShares: [ShareTally]
    /// From the beginning of an episode to its recovery.
    public internal(set) var recoveryTime = Tally()
    /// How long pushes waited in the sender, from the first offer to the start of the request, by rank.
    public internal(set) var sendWaits: [Tally]
    /// From the first offer of a push to APNs' answer, by rank.
    public internal(set) var sendTimes: [Tally]
    /// For each threshold of `measure.wait_over`, how many first requests had waited longer.
    public internal(set) var waitsOver: [Int64]
    /// What senders held.
    public internal(set) var senderTimes = SenderTimes()
    /// How long was measured [µs], added up over cells.
    public internal(set) var measuredTime: Int64 = 0
    /// From the start of an activity on the screen to its end.
    public internal(set) var lifetime = Tally()
    /// Events that had a meaning.
    public internal(set) var eventCount: UInt64 = 0

    /// Nothing measured yet.
    init(windowCount: Int, stageCount: Int, ageThresholdCount: Int = 0, waitThresholdCount: Int = 0) {
        counters = [Int64](repeating: 0, count: Counter.allCases.count)
        firstRides = [UInt64](repeating: .max, count: Counter.allCases.count)
        series = Series(windowCount: windowCount)
        stages = [StageTimes](repeating: StageTimes(), count: stageCount + 1)
        ageByStage = [RampTally](repeating: RampTally(), count: stageCount + 1)
        peakAgeByStage = [Tally](repeating: Tally(), count: stageCount + 1)
        stageLags = [Tally](repeating: Tally(), count: stageCount)
        stagesNeverShown = [Int64](repeating: 0, count: stageCount)
        timeOverAge = [Int64](repeating: 0, count: 2 * ageThresholdCount)
        activityAgeShares = [ShareTally](repeating: ShareTally(), count: ageThresholdCount)
        sendWaits = [Tally](repeating: Tally(), count: RankedQueue.rankCount)
        sendTimes = [Tally](repeating: Tally(), count: RankedQueue.rankCount)
        waitsOver = [Int64](repeating: 0, count: waitThresholdCount)
    }

    /// A count.
    public subscript(counter: Counter) -> Int64 {
        counters[counter.rawValue]
    }

    @inline(__always)
    mutating func count(_ counter: Counter, by amount: Int64 = 1) {
        counters[counter.rawValue] += amount
    }

    /// A ride that a counter has counted, as an example to look into: the lowest number; nil where none is kept.
    public func example(of counter: Counter) -> UInt64? {
        firstRides[counter.rawValue] == .max ? nil : firstRides[counter.rawValue]
    }

    mutating func keepExample(_ ride: UInt64, of counter: Counter) {
        firstRides[counter.rawValue] = min(firstRides[counter.rawValue], ride)
    }

    /// How long pushes of all ranks waited in the sender.
    public var sendWait: Tally { Measurements.sum(sendWaits) }

    /// From the first offer to APNs' answer, over all ranks.
    public var sendTime: Tally { Measurements.sum(sendTimes) }

    private static func sum(_ tallies: [Tally]) -> Tally {
        tallies.reduce(into: Tally()) { $0.add($1) }
    }

    /// Adds what another cell measured in the same run.
    public mutating func add(_ other: Measurements) {
        for index in counters.indices {
            counters[index] += other.counters[index]
            firstRides[index] = min(firstRides[index], other.firstRides[index])
        }
        series.add(other.series)
        for index in stages.indices {
            stages[index].add(other.stages[index])
            ageByStage[index].add(other.ageByStage[index])
            peakAgeByStage[index].add(other.peakAgeByStage[index])
        }
        for index in stageLags.indices {
            stageLags[index].add(other.stageLags[index])
            stagesNeverShown[index] += other.stagesNeverShown[index]
        }
        for index in timeOverAge.indices {
            timeOverAge[index] += other.timeOverAge[index]
        }
        for index in activityAgeShares.indices {
            activityAgeShares[index].add(other.activityAgeShares[index])
        }
        population += other.population
        // Peaks of cells need not coincide; their sum is an upper bound and is reported as such.
        peakPopulation += other.peakPopulation
        peakQueue += other.peakQueue
        activityAgeMean.add(other.activityAgeMean)
        activityPeakAge.add(other.activityPeakAge)
        recoveryTime.add(other.recoveryTime)
        for rank in sendWaits.indices {
            sendWaits[rank].add(other.sendWaits[rank])
            sendTimes[rank].add(other.sendTimes[rank])
        }
        for index in waitsOver.indices {
            waitsOver[index] += other.waitsOver[index]
        }
        senderTimes.add(other.senderTimes)
        measuredTime += other.measuredTime
        lifetime.add(other.lifetime)
        eventCount += other.eventCount
    }

    /// What several cells of a run measured together.
    ///
    /// - Precondition: There is at least one.
    public static func sum(_ parts: [Measurements]) -> Measurements {
        var sum = parts[0]
        for part in parts.dropFirst() {
            sum.add(part)
        }
        return sum
    }

    /// The age of what screens show, over time.
    ///
    /// - Complexity: O(*stages*).
    public var age: RampTally {
        ageByStage.reduce(into: RampTally()) { $0.add($1) }
    }

    /// The age that content had reached when newer content took its place.
    ///
    /// - Complexity: O(*stages*).
    public var peakAge: Tally {
        peakAgeByStage.reduce(into: Tally()) { $0.add($1) }
    }

    /// The age of what screens show during rides.
    ///
    /// - Complexity: O(*stages*).
    public var ageDuringRide: RampTally {
        ageByStage.dropLast().reduce(into: RampTally()) { $0.add($1) }
    }

    /// The age that content had reached when newer content took its place during a ride.
    ///
    /// - Complexity: O(*stages*).
    public var peakAgeDuringRide: Tally {
        peakAgeByStage.dropLast().reduce(into: Tally()) { $0.add($1) }
    }

    /// From the beginning of a stage, of whichever, to the first screen that shows it.
    ///
    /// - Complexity: O(*stages*).
    public var stageLag: Tally {
        stageLags.reduce(into: Tally()) { $0.add($1) }
    }

    /// The displayed time [µs] in which the age exceeded a threshold of the scenario.
    public func timeOverAge(threshold: Int) -> Int64 {
        timeOverAge(threshold: threshold, isAfterRide: false) + timeOverAge(threshold: threshold, isAfterRide: true)
    }

    /// The same, during rides or after them.
    public func timeOverAge(threshold: Int, isAfterRide: Bool) -> Int64 {
        timeOverAge[2 * threshold + (isAfterRide ? 1 : 0)]
    }

    /// What was measured during rides, over all their stages.
    public var duringRide: StageTimes {
        stages.dropLast().reduce(into: StageTimes()) { $0.add($1) }
    }

    /// What was measured after rides.
    public var afterRide: StageTimes { stages[stages.count - 1] }

    /// Times in one stage [µs].
    public struct StageTimes: Hashable, Sendable {
        /// Rides in this stage, with an activity or without; nothing after the ride.
        public internal(set) var ride: Int64 = 0
        /// Content of any age on a screen.
        public internal(set) var displayed: Int64 = 0
        /// Content before its stale date.
        public internal(set) var displayedFresh: Int64 = 0
        /// Content that has lapsed while the monitor believes the instance fresh.
        public internal(set) var silentlyStale: Int64 = 0
        /// Content of a stage of the ride that is over; nothing after the ride.
        public internal(set) var wrongStage: Int64 = 0
        /// Content on a screen that the app put there without a push.
        var displayedFromApp: Int64 = 0
        /// Content on a screen that a push brought.
        var displayedFromPush: Int64 = 0

        /// Content of one source on a screen; the sources add up to ``displayed``.
        public func displayed(from source: StoryLine.ContentSource) -> Int64 {
            switch source {
            case .start: displayed - displayedFromApp - displayedFromPush
            case .app: displayedFromApp
            case .push: displayedFromPush
            }
        }

        mutating func add(_ other: StageTimes) {
            ride += other.ride
            wrongStage += other.wrongStage
            displayedFromApp += other.displayedFromApp
            displayedFromPush += other.displayedFromPush
            displayed += other.displayed
            displayedFresh += other.displayedFresh
            silentlyStale += other.silentlyStale
        }
    }

    /// Numbers of pushes in senders, integrated over time [µs].
    public struct SenderTimes: Hashable, Sendable {
        /// In the queue.
        public internal(set) var queued: Int64 = 0
        /// With a request under way.
        public internal(set) var busy: Int64 = 0
        /// Sent away from a full queue, to come again.
        public internal(set) var inOrbit: Int64 = 0
        /// Not a number but a state: the time [µs] without a free stream.
        ///
        /// Every stream of the connections that are up is taken, or none is up.
        public internal(set) var saturated: Int64 = 0

        mutating func add(_ other: SenderTimes) {
            queued += other.queued
            busy += other.busy
            inOrbit += other.inOrbit
            saturated += other.saturated
        }
    }

    /// Integrals over time [µs].
    ///
    /// `fresh + recoverable + severe == monitored` and `displayedFresh + displayedStale == displayed`, exactly.
    public struct Times: Hashable, Sendable {
        /// Instances that the monitor watches.
        public let monitored: Int64
        /// Of these: fresh.
        public let fresh: Int64
        /// Of these: stale but recoverable.
        public let recoverable: Int64
        /// Of these: severely stale, from the decision to the invalidated token.
        public let severe: Int64
        /// Activities on screens.
        public let displayed: Int64
        /// Of these: showing content before its stale date.
        public let displayedFresh: Int64
        /// Of these: showing content past its stale date.
        public let displayedStale: Int64
        /// Showing content that has lapsed while the monitor believes the instance fresh.
        public let silentlyStale: Int64
        /// The number of activities on screens, integrated over time; equal to the sum of their lives (Little's law).
        public let population: Int64
        /// The largest number of activities on screens at one time.
        public let peakPopulation: Int64
        /// The largest number of pushes waiting in the sender.
        public let peakQueue: Int64
    }

    /// The totals over the whole run.
    ///
    /// - Complexity: O(*windows*).
    public var times: Times {
        Times(
            monitored: series.total(.monitoredTime),
            fresh: series.total(.freshTime),
            recoverable: series.total(.recoverableTime),
            severe: series.total(.severeTime),
            displayed: series.total(.displayedTime),
            displayedFresh: series.total(.displayedFreshTime),
            displayedStale: series.total(.displayedStaleTime),
            silentlyStale: series.total(.silentlyStaleTime),
            population: population,
            peakPopulation: peakPopulation,
            peakQueue: peakQueue
        )
    }
}
