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
    /// What the monitor decides about it.
    var station = RemoteMonitorStation()
    /// The `content-state` of what was announced; nil where nothing was.
    var contentState: [UInt8]?
    /// When its card is to go after the end [UNIX s]; nil: the system decides.
    var dismissalDate: Int64?
    /// When it is looked at next, as far as an entry among the deadlines says so.
    var wakeAt = Instant.never
    /// The numbers of its requests that are not answered.
    var inFlight: [UInt64] = []
    /// How many of its pushes the sender has, those under way among them.
    var heldCount = 0
    /// Its push that waits in the sender.
    var waitingPush = WaitingPush()
    /// How often a push of its found the sender's queue full.
    var requeueCount: UInt32 = 0

    init(id: InstanceID, at now: Instant) {
        self.id = id
        changedAt = now
    }
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
    /// What the monitor decides by.
    var announcement: Announcement
    /// The `content-state` of the payload: a JSON object, byte by byte as it came.
    var state: [UInt8]

    init(stamp: ContentStamp, state: [UInt8], priority: PushPriority, renewal: TimeSpan? = nil) {
        announcement = Announcement(content: stamp, priority: priority, renewal: renewal)
        self.state = state
    }

    /// When it was generated, and until when it is good.
    var stamp: ContentStamp { announcement.content }
}
