public import SimulationKernel

/// The purpose of a draw.
///
/// Each purpose is a separate stream, so a policy that draws more for one purpose does not change the draws of any
/// other: two policies see the same world. The numbers are part of the meaning of a seed and are never reused. 13, 41,
/// 61, 62 and 63 belonged to purposes that now share the draws of 43 and 60, whose first draws are unchanged.
enum Purpose: UInt16 {
    case arrivalGap = 1
    case traceCopy = 2
    case traceShift = 3

    case cellSalt = 4
    case city = 5
    case cohort = 6
    case groupSize = 7
    case groupJoins = 8
    case channelDeleted = 9

    case stageDuration = 10
    case cancels = 11
    case cancelAfter = 12
    case driverDrops = 14
    case driverDropsAfter = 15
    case booksAgain = 16
    case booksAgainAfter = 17
    case makesStop = 18
    case isBookedAhead = 19

    case activitiesEnabled = 20
    case startTime = 21
    case startInBackground = 22
    case startAtSystemLimit = 23
    case startTooLarge = 24
    case startRetry = 25
    case hasStartToken = 26
    case startTokenDead = 27
    case startBudgetExhausted = 28
    case startTokenRotation = 29

    case tokenNever = 30
    case tokenDelay = 31
    case tokenPost = 32
    case tokenPostFails = 33
    case tokenPostRetry = 34
    case tokenRotation = 35
    case expiredTokenLag = 36
    case endReportFails = 37
    case endReportRetry = 38
    case foregroundSpan = 39

    case undecodable = 40
    case timestampInMilliseconds = 42
    /// The payload size, and by its twin whether the stale date is missing; the second draw is the time until the next
    /// refresh.
    case content = 43
    case photoBytes = 44
    case smallPhotoBytes = 45
    /// The change of the estimate in a step: its size, and by the twin its direction; the second draw is whether it jumps.
    case etaChange = 46
    /// The size of a jump, and by the twin its direction.
    case etaJump = 47
    case carPhotoBytes = 48
    case photoDownload = 49
    case contentTime = 76
    case contentFails = 77
    case ineligible = 78

    case channelDeletedAfter = 75

    case appAlive = 50
    case swipes = 51
    case swipeAfter = 52
    case recreated = 53
    case endReport = 54
    case initiallyOffline = 55
    case connectivity = 56
    case renderInterval = 57
    case cardRemovedAfter = 58
    case rendersStale = 59

    /// The response time, and by its twin whether APNs rejects the request; the second draw is the delivery time, and
    /// by its twin whether the push is lost.
    case request = 60
    case considerateDelay = 64
    case requeueAfter = 65
    case patience = 66
    case serviceTime = 67

    case retryPause = 70

    /// The ride of a file of estimates whose estimates a drawn ride has.
    case recordedEstimates = 71
    case bookedAhead = 72
    case startWithoutAlert = 79

    case faultHitsDevice = 81
    case faultHitsConnection = 82

    /// `true` if the first fault of the scenario affects a request; each fault has its own purpose, because the index
    /// is full.
    case firstFaultHitsRequest = 1024
}

extension RandomSource {
    /// The draw for the jitter of the next pause between a monitor's retries.
    ///
    /// - Parameters:
    ///   - entity: The ride of the activity, or another key of the instance.
    ///   - count: The number of times the instance was woken before.
    @inline(__always)
    public func pauseDraw(entity: UInt64, count: UInt32) -> UInt64 {
        draw(entity: entity, purpose: Purpose.retryPause.rawValue, index: count)
    }
}

/// The entities other than rides.
///
/// Ride numbers count up from 0 and never reach these.
enum WorldEntity {
    static let arrivals = UInt64.max
    static let connections = UInt64.max - 1
    static let cells = UInt64.max - 2
    /// The server's record of a channel has this bit, and the number of its group's first ride.
    static let channel: UInt64 = 1 << 62
    /// The first row of a trace, followed by the others.
    static let firstTraceRow: UInt64 = 1 << 63
}
