/// What is observed event by event, each time one value [µs], and kept as a distribution.
///
/// A new observation is a case here, with its parts and its row in ``declaration``, and a record where it happens; storage,
/// adding up, transfer, histograms and rows of results follow.
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

    /// How results tell of it; nil for what is told together with another one, or in a way of its own.
    public var declaration: ObservationDeclaration? {
        switch self {
        case .peakAge:
            ObservationDeclaration(
                metric: "peak_age_us",
                group: .ages,
                direction: .lower,
                meaning:
                    "The age that content had reached when newer content took its place. Where none comes there is no such "
                    + "age: it falls in a blackout; judge that by ride_stage_coverage_ratio and stage_lag_us."
            )
        case .activityAgeMean:
            ObservationDeclaration(
                metric: "activity_age_mean_us",
                group: .ages,
                direction: .lower,
                heaviest: .halfOfLife,
                meaning: "The mean age over an activity's own time on the screen; each activity weighs the same. "
                    + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
            )
        case .activityPeakAge:
            ObservationDeclaration(
                metric: "activity_peak_age_us",
                group: .ages,
                direction: .lower,
                heaviest: .life,
                meaning: "The largest age that an activity's screen reached. "
                    + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
            )
        case .sendTime:
            ObservationDeclaration(
                metric: "send_time_us",
                group: .sender,
                direction: .lower,
                meaning:
                    "From a push's offer to APNs' answer, in a load from the start of its request; what has no answer by the end "
                    + "is left out."
            )
        case .recoveryTime:
            ObservationDeclaration(
                metric: "recovery_time_us",
                group: .episodes,
                direction: .lower,
                rulers: Ruler.allCases,
                meaning: "From the lapse to the confirmation that ended the episode."
            )
        case .lifetime:
            ObservationDeclaration(
                metric: "activity_lifetime_us",
                group: .rides,
                heaviest: .life,
                meaning: "How long an activity was on the screen."
            )
        case .stageLag, .sendWait, .unsentWait: nil
        }
    }
}

/// How results tell of an observation: as a metric with a mean and quantiles, over all and over each of its parts.
public struct ObservationDeclaration: Sendable {
    /// The metric's name in summary.csv, its unit last.
    public let metric: String
    /// Where it stands in the catalogue.
    public let group: MetricGroup
    /// Which way it should go.
    public var direction = MetricDirection.neutral
    /// The settings that say what counts.
    public var rulers: [Ruler] = []
    /// The value of the ride that weighs most; nil where no ride weighs more than others do.
    public var heaviest: Heaviest?
    /// What it is, in one sentence.
    public let meaning: String

    /// Values of an activity that no push ends, and that stays on its screen for as long as iOS lets it.
    public enum Heaviest: Sendable {
        /// How long it stays.
        case life
        /// Half of that.
        case halfOfLife
    }

    /// What a metric of the time on screens does where screens are lost, and what to judge by then.
    package static func ofScreens(_ change: String, _ others: String) -> String {
        "Of time on screens, so it \(change) in a blackout, when activities die early; judge that by \(others)."
    }
}
