import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One instance in the monitor's memory.
///
/// Memory is ahead of the disk only where that keeps pushes back: a token leaves it before its invalidation is written, and
/// comes into it after its publication was.
struct MonitoredInstance {
    let id: InstanceID
    /// When anything last happened to it.
    var changedAt: Instant
    /// Whether it was forgotten, so that its row is free for another.
    var isForgotten = false
    /// Where pushes go; nil where nothing may be sent.
    var token: PublishedToken?
    var tokenState = TokenState.none
    /// The registry's number of the last change of the token that is known here.
    var revision: Int64 = 0
    /// What the monitor decides about it, and by which of its tokens.
    var station = MonitorStation()
    /// How many tokens were published: the station's number of the newest.
    var tokenCount: UInt32 = 0
    /// What it is believed to show, if anything is known.
    var confirmed: ContentStamp?
    /// What it is to show.
    var announced: AnnouncedContent?
    var dismissalDate: Int64?
    /// The timestamp of the last payload [UNIX s].
    var lastTimestamp: Int64 = 0
    /// How many contents were announced, and how many retries and ends were sent, since this process knows it.
    var pushNumbers = PushNumbers()
    /// When it is looked at next, as far as an entry among the deadlines says so.
    var appointment = Instant.never
    /// The numbers of its pushes that are not answered.
    var inFlight: [UInt64] = []

    init(id: InstanceID, at now: Instant) {
        self.id = id
        changedAt = now
    }

    /// Whether what it shows is not known at all.
    var isUnknown: Bool { confirmed == nil }
}

/// When an instance is to be looked at; equals in the order in which they were made.
struct Deadline: Comparable {
    let due: Instant
    let sequence: UInt64
    let row: Int

    static func < (left: Deadline, right: Deadline) -> Bool {
        (left.due, left.sequence) < (right.due, right.sequence)
    }
}

/// Content that the app's server wants on a screen.
struct AnnouncedContent: Hashable, Sendable {
    /// When it was generated, and until when it is good.
    var stamp: ContentStamp
    /// The `content-state` of the payload: a JSON object, byte by byte as it came.
    var state: [UInt8]
    /// The priority of its first push; retries take that of the policy.
    var priority: PushPriority
    /// How long the content is good for from the moment of a retry on; nil: a retry carries the stale date that was announced.
    ///
    /// Content that says "your driver waits" is as true a minute later, and only its owner knows that.
    var renewal: TimeSpan?
}
