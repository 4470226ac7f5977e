import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One instance in the monitor's memory.
///
/// Memory is ahead of the disk only if that delays pushes: a token is removed from memory before its invalidation is
/// written, and added to memory after its publication is written.
struct MonitoredInstance {
    let id: InstanceID
    /// The time of the last change.
    var changedAt: Instant
    /// `true` if it was deleted, so that its row can be reused.
    var isForgotten = false
    /// The destination of pushes; `nil` if nothing may be sent.
    var token: PublishedToken?
    var tokenState = TokenState.none
    /// The revision of the last known change of the token.
    var revision: Int64 = 0
    /// The station that makes its decisions.
    var station = RemoteMonitorStation()
    /// The announced content; `nil` if none was announced.
    var content: AnnouncedContent.Parts?
    /// `true` if the content has an alert that no push has carried.
    var isAlertDue = false
    /// The time to remove its card after the end [UNIX s]; `nil` to leave it to the system.
    var dismissalDate: Int64?
    /// The time of its next wake-up, if the deadlines have an entry for it.
    var wakeAt = Instant.never
    /// The numbers of its requests in flight.
    var inFlight: [UInt64] = []
    /// The number of its pushes in the sender, including those in flight.
    var heldCount = 0
    /// Its waiting push in the sender.
    var waitingPush = WaitingPush()
    /// The number of times that one of its pushes found the sender's queue full.
    var requeueCount: UInt32 = 0

    init(id: InstanceID, at now: Instant) {
        self.id = id
        changedAt = now
    }
}

/// The time at which to wake an instance; ties in the order of creation.
struct Deadline: Comparable {
    let due: Instant
    let sequence: UInt64
    let row: Int

    static func < (left: Deadline, right: Deadline) -> Bool {
        (left.due, left.sequence) < (right.due, right.sequence)
    }
}

/// Content that the app's server has announced.
struct AnnouncedContent: Hashable, Sendable {
    /// The announcement, on which the monitor's decisions are based.
    var announcement: Announcement
    /// The parts of its payloads.
    var parts: Parts

    /// The parts of payloads, on which no decision is based.
    struct Parts: Hashable, Sendable {
        /// The `content-state`: a JSON object, byte by byte as received.
        var state: [UInt8]
        /// The alert of the content's own push.
        var alert: PushAlert?
        /// The relevance among the app's activities.
        var relevanceScore: Double?
    }

    init(
        stamp: ContentStamp,
        state: [UInt8],
        priority: PushPriority,
        renewal: TimeSpan? = nil,
        alert: PushAlert? = nil,
        relevanceScore: Double? = nil
    ) {
        announcement = Announcement(content: stamp, priority: priority, renewal: renewal)
        parts = Parts(state: state, alert: alert, relevanceScore: relevanceScore)
    }

    /// The `content-state`.
    var state: [UInt8] { parts.state }
    /// The generation time and the stale date.
    var stamp: ContentStamp { announcement.content }
}
