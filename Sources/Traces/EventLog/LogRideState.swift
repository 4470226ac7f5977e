import LiveActivityModel

/// An open ride of a log.
struct RideState {
    /// A request in flight.
    struct Flight {
        let push: UInt64
        let at: Int64
        let kind: StoryLine.PushKind
        let generatedAt: Int64
        let staleDate: Int64
    }

    var requestedAt = LogEvent.none
    var stage = -1
    var stageBeganAt = LogEvent.none
    var stages: [(stage: Int, length: Int64)] = []
    var endedAt = LogEvent.none
    var isCancelled = false
    var startedAt = LogEvent.none
    /// `true` if a row reports the start.
    var hasStarted = false
    var tokenAt = LogEvent.none
    /// `true` after a token before the request, which a clock that is ahead causes.
    var hasEarlyToken = false
    /// The time of the last token that no update has followed yet.
    var unansweredTokenAt = LogEvent.none
    /// `true` if the content with which the app started, or an update, shows the stage in which that token came.
    var isTokenWithoutNews = false
    var hasToken = false
    var watchedSince = LogEvent.none
    /// The time up to which watched time is counted.
    var accountedTo = LogEvent.none
    /// The beginning of the time of belief that is not counted yet, and its end by what is known.
    var freshFrom = LogEvent.none
    var freshUntil = LogEvent.none
    /// `true` if APNs has accepted content.
    var hasAcceptedContent = false
    var flights: [Flight] = []
    /// The first requests since the log has reports of apps, and reports whose request has not come yet.
    var screen: [LogDigest.ScreenPush] = []
    var earlyReports: [(push: UInt64, at: Int64)] = []
    /// The content after which the next refresh is awaited; `isFirst` if it announced the stage.
    var mark = LogEvent.none
    var markIsFirst = false
    var isStageAnnounced = true
    /// The content of the last update, and the number of attempts to send it; nil after its acceptance.
    var unaccepted: (generatedAt: Int64, attempts: Int)?
    var retries = 0
    var retryAt = LogEvent.none
    var ends = 0
    /// `true` after an end that was sent during the ride, until another update is sent: the sender has given up the activity.
    var isClosing = false
    var reportedEnd = LogEvent.none
    var lastAt = LogEvent.none
    var recent: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// The first event of the ride in the log.
    var first: LogEvent?

    /// Begins another ride; the memory for requests in flight is kept.
    mutating func begin(_ event: LogEvent) {
        var other = RideState()
        swap(&other.flights, &flights)
        other.first = event
        self = other
    }
}
