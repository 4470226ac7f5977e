/// What is observed event by event, each time one value [µs], and kept as a distribution.
///
/// A new observation is a case here and a record where it happens; storage, adding up and transfer follow.
public enum Observation: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// The age that content had reached when newer content took its place, by the stage in which it did.
    case peakAge
    /// From the beginning of each stage to the first screen that shows it; where none does, to the end of the stage.
    case stageLag
    /// How long a push waited in the sender, from its first offer to the start of the request.
    case sendWait
    /// The same of a push that was never sent, to when it was given up or, where it waited still, to the end of the run.
    case unsentWait
    /// From the first offer of a push to APNs' answer.
    case sendTime
    /// The mean of each activity's age over its own time on the screen, rounded to a microsecond.
    case activityAgeMean
    /// The largest age that each activity's screen reached.
    case activityPeakAge
    /// From the beginning of an episode to its recovery.
    case recoveryTime
    /// From the start of an activity on the screen to its end.
    case lifetime

    /// Into which parts it is divided.
    public var division: Division {
        switch self {
        case .peakAge: .stageOrAfter
        case .stageLag: .stage
        case .sendWait, .unsentWait, .sendTime: .rank
        case .activityAgeMean, .activityPeakAge, .recoveryTime, .lifetime: .whole
        }
    }
}
