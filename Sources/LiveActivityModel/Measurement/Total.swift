/// Sums that are no plain counts: times [µs], integrals over time [µs], and counts that are divided.
///
/// A new total is a case here and an addition where it happens; storage, adding up and transfer follow.
public enum Total: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// Rides, with an activity or without; nothing after the ride.
    case rideTime
    /// Content of any age on a screen.
    case displayedTime
    /// Content on a screen that the app put there without a push.
    case displayedFromAppTime
    /// Content on a screen that a push brought.
    case displayedFromPushTime
    /// Content before its stale date.
    case displayedFreshTime
    /// Content that has lapsed while the monitor believes the instance fresh.
    case silentlyStaleTime
    /// Content of a stage of the ride that is over; nothing after the ride.
    case wrongStageTime
    /// Content past its stale date, by where newer content, or the end, is.
    case staleTimeByCause
    /// Content of a stage of the ride that is over, by where newer content is.
    case wrongStageTimeByCause
    /// How often a stage was over before a screen showed it.
    case stagesNeverShown
    /// Displayed time in which the age exceeded a threshold; see ``Measurements/timeOverAge(threshold:)``.
    case timeOverAge
    /// First requests that had waited longer than a threshold.
    case waitsOver
    /// Pushes in the sender's queue, integrated over all measured time, the drain included; so are the next three.
    case queuedTime
    /// Requests in flight, integrated over time.
    case busyTime
    /// Pushes sent away from a full queue, to come again, integrated over time.
    case orbitTime
    /// Not a number but a state: the time without a free stream.
    ///
    /// Every stream of the connections that are up is taken, or none is up.
    case saturatedTime
    /// The number of activities on screens, integrated over time; equal to the sum of their lives (Little's law).
    case populationTime
    /// How long was measured, added up over cells.
    case measuredTime
    /// Events that had a meaning.
    case events

    /// Into which parts it is divided.
    public var division: Division {
        switch self {
        case .rideTime, .displayedTime, .displayedFromAppTime, .displayedFromPushTime, .displayedFreshTime,
            .silentlyStaleTime, .wrongStageTime:
            .stageOrAfter
        case .staleTimeByCause, .wrongStageTimeByCause: .cause
        case .stagesNeverShown: .stage
        case .timeOverAge: .ageThreshold
        case .waitsOver: .waitThreshold
        case .queuedTime, .busyTime, .orbitTime, .saturatedTime, .populationTime, .measuredTime, .events: .whole
        }
    }
}

/// Levels of which the largest is kept.
///
/// The peaks of cells need not coincide; their sum is an upper bound and is reported as such.
public enum Peak: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// Activities on screens.
    case population
    /// Pushes in the sender's queue.
    case queue
}
