public import SimulationKernel

/// What a draw is for.
///
/// Each purpose is a stream of its own, so that a policy which draws more for one thing leaves the draws for all others
/// as they were: two policies see the same world. The numbers are part of what a seed means; they are never reused: 13, 41,
/// 61, 62 and 63 were those of questions that share the draws of 43 and 60 now, whose first draws mean what they always did.
enum Purpose: UInt16 {
    case arrivalGap = 1
    case traceCopy = 2
    case traceShift = 3

    case cellSalt = 4
    case city = 5

    case stageDuration = 10
    case cancels = 11
    case cancelAfter = 12
    case driverDrops = 14
    case driverDropsAfter = 15

    case activitiesEnabled = 20
    case startTime = 21
    case startInBackground = 22
    case startAtSystemLimit = 23
    case startTooLarge = 24
    case startRetry = 25
    case hasStartToken = 26
    case startTokenDead = 27
    case startBudgetExhausted = 28

    case tokenNever = 30
    case tokenDelay = 31
    case tokenPost = 32
    case tokenPostFails = 33
    case tokenPostRetry = 34
    case tokenRotation = 35
    case expiredTokenLag = 36

    case undecodable = 40
    case timestampInMilliseconds = 42
    /// How large the payload is, and by the twin whether its stale date is missing; the second draw: the time until the next
    /// refresh.
    case content = 43
    case photoBytes = 44
    case smallPhotoBytes = 45

    case appAlive = 50
    case swipes = 51
    case swipeAfter = 52
    case recreated = 53
    case endReport = 54
    case initiallyOffline = 55
    case connectivity = 56

    /// The time until the answer, and by the twin whether APNs refuses the request; the second draw: how long the way takes, and
    /// by the twin whether the push gets lost.
    case request = 60
    case considerateDelay = 64
    case requeueAfter = 65
    case patience = 66
    case serviceTime = 67

    case retryPause = 70

    case faultHitsDevice = 81
    case faultHitsConnection = 82

    /// Whether the first fault of the scenario hits a request; one purpose for each fault, as the index is full.
    case firstFaultHitsRequest = 1024
}

extension RandomSource {
    /// The draw for the jitter of the next pause between a monitor's retries.
    ///
    /// - Parameters:
    ///   - entity: The ride whose activity it is, or whatever else names the instance.
    ///   - count: How often the instance was woken before.
    @inline(__always)
    public func pauseDraw(entity: UInt64, count: UInt32) -> UInt64 {
        draw(entity: entity, purpose: Purpose.retryPause.rawValue, index: count)
    }
}

/// The entities that are not rides.
///
/// Ride numbers count up from 0 and never come near these.
enum WorldEntity {
    static let arrivals = UInt64.max
    static let connections = UInt64.max - 1
    static let cells = UInt64.max - 2
    /// The first row of a trace; the others follow.
    static let firstTraceRow: UInt64 = 1 << 63
}
