/// Sums other than plain counts: times [µs], integrals over time [µs], and divided counts.
///
/// To add a total, add a case here and an addition where it happens; storage, sums and transfer follow.
public enum Total: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// Time during rides, with or without an activity.
    case rideTime
    /// Time with content of any age on a screen.
    case displayedTime
    /// Time with content on a screen that the app set without a push.
    case displayedFromAppTime
    /// Time with content on a screen that came by push.
    case displayedFromPushTime
    /// Time with content before its stale date.
    case displayedFreshTime
    /// Time with content that has lapsed while the monitor believes the instance fresh.
    case silentlyStaleTime
    /// Time with content of an earlier stage of the ride; zero after the ride.
    case wrongStageTime
    /// Time with content past its stale date, by the location of newer content or of the end.
    case staleTimeByCause
    /// Time with content of an earlier stage of the ride, by the location of newer content.
    case wrongStageTimeByCause
    /// Time with content past its stale date that the app did not mark.
    case misleadingStaleTime
    /// Time during rides from the stage of the driver's photo on, by ``DriverPhoto``.
    case photoTime
    /// Time during rides from the stage of the driver's photo on.
    case driverTime
    /// The part of ``driverTime`` in which no screen shows the photo.
    case photoMissingTime
    /// Activities that were requested and finished within the measured time.
    case wholeLives
    /// Requests sent for ``wholeLives``.
    case requestsOfWholeLives
    /// Activities on screens at the end of the warm-up, and those that were not finished at the end of the run.
    case cutLives
    /// Time with the card of an ended activity on a screen.
    case leftCardTime
    /// The part of ``leftCardTime`` in which the card shows a stage, or a ride, that is over.
    case leftCardWrongTime
    /// Time during rides with the card of an ended activity on a screen.
    case rideEndedCardTime
    /// The part of ``rideEndedCardTime`` in which the card shows a stage that is over.
    case rideEndedCardWrongTime
    /// Time during rides with a live card of an earlier ride of the same rider on the screen.
    case oldCardTime
    /// Time in which the shown ETA is off by more than a threshold of `measure.eta_error_over`.
    case timeOverETAError
    /// The integral of the error of a progress bar's position, from 0 to 1 [µs].
    case barError
    /// Stages that were over before a screen showed them.
    case stagesNeverShown
    /// Displayed time in which the age exceeded a threshold; see ``Measurements/timeOverAge(threshold:)``.
    case timeOverAge
    /// First requests whose wait exceeded a threshold.
    case waitsOver
    /// The number of activities on screens, integrated over time; equal to the sum of their lives (Little's law).
    case populationTime
    /// The measured time, summed over cells.
    case measuredTime
    /// Effective events.
    case events

    /// The parts that it is divided into.
    public var division: Division {
        switch self {
        case .rideTime, .displayedTime, .displayedFromAppTime, .displayedFromPushTime, .displayedFreshTime,
            .silentlyStaleTime, .wrongStageTime, .misleadingStaleTime:
            .stageOrAfter
        case .staleTimeByCause, .wrongStageTimeByCause: .cause
        case .stagesNeverShown: .stage
        case .driverTime, .photoMissingTime, .wholeLives, .requestsOfWholeLives, .cutLives, .barError: .segment
        case .timeOverAge: .ageThreshold
        case .waitsOver: .waitThreshold
        case .timeOverETAError: .etaThreshold
        case .photoTime: .photo
        case .leftCardTime, .leftCardWrongTime, .rideEndedCardTime, .rideEndedCardWrongTime, .oldCardTime: .whole
        case .populationTime, .measuredTime, .events: .whole
        }
    }
}

/// Levels whose maximum is recorded.
///
/// The maxima of cells need not coincide; their sum is an upper bound and is reported as such.
public enum Peak: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// Activities on screens.
    case population
}
