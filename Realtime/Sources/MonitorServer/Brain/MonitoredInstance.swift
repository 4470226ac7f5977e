import APNsProtocol
import FreshnessCore
import Quantities

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
    /// What the core thinks of it; nil before the first token.
    var freshness: InstanceFreshness?
    /// Counts its watches.
    var life: UInt32 = 0
    /// What it is believed to show, if anything is known.
    var confirmed: ContentStamp?
    /// What it is to show.
    var announced: AnnouncedContent?
    /// The decision to end it.
    var end: EndDecision?
    var dismissalDate: Int64?
    /// Whether the decision is not on disk yet: before that no end is sent, or content might follow it after a restart.
    var awaitsRecord = false
    /// The timestamp of the last payload [UNIX s].
    var lastTimestamp: Int64 = 0
    /// How many contents were announced, and how many retries and ends were sent, since this process knows it.
    var pushNumbers = PushNumbers()
    /// How often the core was woken; the index of draws.
    var wakeCount: UInt32 = 0
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

/// The running numbers of an instance's pushes, by kind, for the luck that they have at a stand-in.
struct PushNumbers {
    private var announcements: UInt32
    private var retries: UInt32
    private var ends: UInt32
    /// How often the last announced content was sent.
    private var sendings: UInt32 = 0

    /// - Parameter start: Where to begin; what was sent before the process began had other numbers.
    init(from start: UInt32 = 0) {
        (announcements, retries, ends) = (start, start, start)
    }

    /// The index of the next push of a kind, as in the model.
    ///
    /// An update has the number of its announcement, and another attempt each time that the same content is sent.
    mutating func take(for kind: Push.Kind) -> UInt32 {
        let number: UInt32
        var attempt: UInt32 = 0
        switch kind {
        case .update:
            (number, attempt) = (announcements &- 1, sendings)
            // Two apart: a push that is repeated has the one between.
            sendings &+= 2
        case .retry:
            number = retries
            retries &+= 1
        case .end:
            number = ends
            ends &+= 1
        }
        return PushIndex.request(PushIndex.push(kind: UInt8(kind.rawValue), number: number), attempt: attempt)
    }

    /// Content was announced, whether or not it can be sent.
    mutating func contentAnnounced() {
        announcements &+= 1
        sendings = 0
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
