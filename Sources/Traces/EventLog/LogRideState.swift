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

    /// An update that shows the stage of an earlier one, unless the next stage begins at nearly the same time: then clocks may
    /// differ, and it may be the news of that stage.
    struct Refresh {
        /// The content after which it was awaited; none if there is none.
        let mark: Int64
        let markIsFirst: Bool
        /// The time of its content.
        let at: Int64
        let stage: Int
        /// The end of its stage, if that came at nearly the same time.
        var stageEndedAt = LogEvent.none
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
    /// The time of the last update before any token, which clocks that differ cause.
    var earlyUpdateAt = LogEvent.none
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
    /// The first end that was sent during the ride, with the time since the stale date; nil without a doubtful one.
    ///
    /// It is doubtful while the ride's own end may follow at nearly the same time, because clocks may differ.
    var earlyEnd: (at: Int64, sinceStale: Int64?)?
    /// The last update that seems to be a refresh.
    var refresh: Refresh?
    /// `true` if that update may be the news of the stage that followed.
    var hasDoubtfulRefresh: Bool { refresh.map { $0.stageEndedAt != LogEvent.none } ?? false }
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
