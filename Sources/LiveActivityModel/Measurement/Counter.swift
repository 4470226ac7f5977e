/// The plain counts of a run.
///
/// Pushes are counted where they are sent and once more where they end, by fate; the two sums are equal.
public enum Counter: Int, CaseIterable, BitwiseCopyable, Sendable {
    case ridesRequested
    case ridesCompleted
    case ridesCancelled
    /// Times that a driver dropped a ride.
    case ridesRematched

    case startsNotAllowed
    case startsFailedInBackground
    case startsFailedAtSystemLimit
    case startsFailedTooLarge
    case startsFailedWithoutContent
    case ridesWithoutActivity
    case activitiesStarted
    case activitiesStartedByPush
    case activitiesRecreated
    case duplicatesStarted

    case endedRideOver
    case endedCancelled
    case endedSevere
    case endedNoToken
    case endedTokenNotPosted
    case endedNoUpdate
    case endedSwiped
    case endedContentExpired
    case endedSystemLimit
    /// On screens already when measuring began.
    case liveAtWarmUp
    case liveAtHorizon
    /// Activities whose ride was requested, and for which nothing is left to do, within the measured time.
    case wholeLives
    /// What was sent for these.
    case requestsOfWholeLives
    /// Activities for which something was left to do at the end of the run.
    case livesOpenAtHorizon

    case tokensPosted
    case tokenPostsFailed
    case tokensRotated
    case tokensInvalidated
    case tokensDiscarded

    case updatesSent
    case retriesSent
    case endsSent
    case startsSent

    case fateShown
    case fateEnded
    case fateStarted
    case fateOlder
    case fateThrottled
    case fateUndecodable
    case fateLost
    case fateDeadToken
    case fateAfterEnd
    case fateReplacedInStore
    case fateExpired
    case fateNotStored
    case fateStartIgnored
    case fateRefused
    case fateNotAccepted
    case fateCancelled
    case inFlightAtHorizon

    case responsesAccepted
    case responsesTimedOut
    case responsesConnectionLost
    case responses400
    case responses403
    case responses410
    case responses413
    case responses429
    case responses500
    case responses503

    /// First requests and repeats alike; each is sent, not sent for a reason, or still waiting.
    case pushesOffered
    case repeatsOffered
    case pushesCoalesced
    case pushesOverQueueLimit
    case pushesDisplaced
    case pushesRateLimited
    case pushesOutOfPatience
    case pushesWithinMinimumInterval
    case pushesWithoutContent
    case pushesAbandonedUnsent
    case queuedAtHorizon
    case inOrbitAtHorizon
    case repeatsSent
    case repeatsWithheld
    case requestsInterrupted
    case requestsCancelled

    case photosSent
    case photosShrunk
    case photosDropped

    case localUpdates

    case episodesBegun
    case episodesRecovered
    case episodesEndedSevere
    case episodesCutShort
    case episodesAtHorizon
    case retriesWithheld
    case falseKills
}
