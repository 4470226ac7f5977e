/// The observations: one value [µs] per event, kept as a distribution.
///
/// To add an observation, add a case here with its division and its row in ``declaration``, and record it where it
/// happens. Storage, sums, transfer, histograms and rows of results follow.
public enum Observation: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// The age of content when newer content replaced it, by the stage at that time.
    case peakAge
    /// The time from the beginning of a stage to the first screen that shows it; if none does, to the end of the stage.
    case stageLag
    /// The time that a push waited in the sender, from its first offer to the start of the request.
    case sendWait
    /// The time that an unsent push waited, until it was given up or, if it was still waiting, until the end of the
    /// run.
    case unsentWait
    /// The time from the first offer of a push to APNs' response.
    case sendTime
    /// The mean age of each activity over its own screen time, rounded to a microsecond.
    case activityAgeMean
    /// The largest age on each activity's screen.
    case activityPeakAge
    /// The time from the beginning of an episode to its recovery.
    case recoveryTime
    /// The time from an activity's start on the screen to its end.
    case lifetime
    /// The time from an activity's end to the removal of its card, for cards that stay; at most to the end of the run.
    case endedCardTime
    /// The time from the need of content to its arrival, for content that the endpoint returned.
    case contentTime
    /// The time from a ride's request for which a live card of an earlier ride of its rider stays; at most to the end of the
    /// ride.
    case oldCardTime
    /// The time from the first to the last screen of a group that shows a content.
    case fanOut
    /// The time from the generation of a group's content to the last screen that shows it.
    case lastPhone

    /// The parts that it is divided into.
    public var division: Division {
        switch self {
        case .peakAge: .stageOrAfter
        case .stageLag: .stage
        case .sendWait, .unsentWait, .sendTime: .rank
        case .activityAgeMean, .activityPeakAge, .recoveryTime, .lifetime, .endedCardTime, .contentTime, .oldCardTime,
            .fanOut, .lastPhone:
            .whole
        }
    }

    /// The presentation of the observation in results; nil if it is presented elsewhere.
    public var declaration: ObservationDeclaration? {
        switch self {
        case .peakAge:
            ObservationDeclaration(
                metric: "peak_age_us",
                group: .ages,
                direction: .lower,
                meaning:
                    "Age of content when newer content replaces it. Content that is never replaced has none, so the value "
                    + "falls in a blackout; to judge blackouts, use ride_stage_coverage_ratio and stage_lag_us."
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
                    "Time from the offer of a push to APNs' answer; in a load, from the start of its request. Excludes pushes "
                    + "without an answer by the end."
            )
        case .recoveryTime:
            ObservationDeclaration(
                metric: "recovery_time_us",
                group: .episodes,
                direction: .lower,
                bases: MetricBasis.allCases,
                meaning: "Time from the lapse to the confirmation that ended the episode; only episodes that "
                    + "recovered count."
            )
        case .lifetime:
            ObservationDeclaration(
                metric: "activity_lifetime_us",
                group: .rides,
                heaviest: .life,
                meaning: "Time of an activity on the screen."
            )
        case .stageLag, .sendWait, .unsentWait, .endedCardTime, .contentTime, .oldCardTime, .fanOut, .lastPhone: nil
        }
    }
}

/// The presentation of an observation in results: a metric with a mean and quantiles, overall and for each part.
public struct ObservationDeclaration: Sendable {
    /// The metric's name in summary.csv, its unit last.
    public let metric: String
    /// Its group in the catalogue.
    public let group: MetricGroup
    /// The desired direction.
    public var direction = MetricDirection.neutral
    /// The settings that define what counts.
    public var bases: [MetricBasis] = []
    /// The value of the ride with the largest weight; nil if no ride weighs more than others.
    public var heaviest: Heaviest?
    /// The definition of the metric, in one sentence.
    public let meaning: String

    /// The value of an activity that no push ends, so that it stays on its screen until iOS removes it.
    public enum Heaviest: Sendable {
        /// Its time on the screen.
        case life
        /// Half of its time on the screen.
        case halfOfLife
    }

    /// A remark on a metric of screen time: how it changes when screens are lost, and the metrics to use then.
    package static func ofScreens(_ change: String, _ others: String) -> String {
        "Covers screen time only, so the value \(change) in a blackout, which ends activities early; to judge blackouts, "
            + "use \(others)."
    }
}
