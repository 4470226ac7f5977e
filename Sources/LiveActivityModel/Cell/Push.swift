import FreshnessCore
import Quantities

/// The state of one request to APNs, and of the push it carries on the way to the phone.
struct Push: BitwiseCopyable {
    let activity: UInt32
    let ride: UInt64
    let life: UInt8
    let kind: StoryLine.PushKind
    /// The monitor's watch that it belongs to.
    var watch: UInt8 = 0
    var priority: PushPriority
    /// Keys the draws of this push: its kind in bits 25 and 26, its number among those of its kind below them.
    var index: UInt32
    /// Its place among others that wait, 0...7.
    let rank: UInt8
    /// Whether it is counted: not before the warm-up is over.
    var isCounted = false
    /// Whether it is known how it ends.
    var isConcluded = false

    /// Its way through the sender.
    var passage: SenderPassage
    var payload: Payload
    var token: UInt32 = 0
    /// What is left of an interrupted request.
    var remaining = TimeSpan.zero
    var sentAt = Instant.never
    var connection: UInt32 = 0
    /// The number of its request among those of the sender, in the order in which they begin.
    var requestNumber: UInt64 = 0

    /// When the sender hears, or gives up; `never` when it has.
    var responseDue = Instant.never
    var response = Response.accepted
    /// When it reaches the phone; `never` when it has, or will not.
    var deliveryDue = Instant.never
    /// A newer push took its place in APNs' store.
    var isReplaced = false
    /// Where the request is at APNs, if APNs has a queue.
    var service = Service.none
    var isInUse = true

    /// What it carries to the phone; while it waits, newer content may take its place.
    struct Payload {
        var content: ContentStamp
        /// By which the phone tells newer from older.
        var timestamp: Int64
        /// Its size; 0 where sizes are not modelled.
        var bytes: UInt32
        /// How the driver's photo fared in it, to be counted when it is sent; nil where none was due.
        var photo: Counter?
        /// How many drivers had dropped the ride when it was made.
        var rematchCount: UInt16 = 0
    }

    enum Service: UInt8 {
        /// Not there, or no longer.
        case none
        case waiting
        case underWay
        /// With the APNs behind the port, which has yet to tell what becomes of the push.
        case remote
        /// The same APNs has told that it does not have the request.
        case void
    }

    enum Response {
        case accepted
        case refused(APNsReason)
        case timedOut
        case connectionLost

        /// Whether it comes from APNs.
        @inline(__always)
        var isAnswer: Bool {
            switch self {
            case .accepted, .refused: true
            case .timedOut, .connectionLost: false
            }
        }
    }
}

extension Push {
    /// Whether APNs has still to decide what becomes of it: it has no fate and is not on its way.
    var isUndecided: Bool { !isConcluded && deliveryDue == .never }

    /// Whether the APNs behind the port has still to decide what becomes of it.
    var isRemote: Bool { service == .remote || service == .void }

    /// Keys the draws of this request, of which a push that is repeated has several.
    @inline(__always)
    var drawIndex: UInt32 { PushIndex.request(index, attempt: UInt32(passage.attempt)) }
}
