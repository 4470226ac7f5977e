import FreshnessCore
import Quantities

/// The state of a request to APNs, and of the push that it carries to the phone.
struct Push: BitwiseCopyable {
    let activity: UInt32
    let ride: UInt64
    /// The life of the activity that it is for; 0 for a start, unless it renews the activity.
    let life: UInt8
    let kind: StoryLine.PushKind
    /// The monitor's watch that the push belongs to.
    var watch: UInt8 = 0
    var priority: PushPriority
    /// Keys the draws of this push: its kind in bits 25 and 26, its number within the kind in the lower bits.
    var index: UInt32
    /// Its rank among waiting pushes, 0...7.
    let rank: UInt8
    /// `true` if it is counted; pushes before the end of the warm-up are not.
    var isCounted = false
    /// `true` if its fate is known.
    var isConcluded = false
    /// `true` if its stream is counted in ``SpeculativeStreams``.
    var isSpeculative = false
    /// `true` if the server has yet to get its content, and then makes the push.
    var awaitsContent = false

    /// Its state in the sender.
    var passage: SenderPassage
    var payload: Payload
    var token: UInt32 = 0
    /// The remaining time of an interrupted request.
    var remaining = TimeSpan.zero
    var sentAt = Instant.never
    var connection: UInt32 = 0
    /// The number of its request, in the order in which they begin: among all requests of the sender, or among those of its
    /// activity if speculation has processed it.
    var requestNumber: UInt64 = 0

    /// When the sender receives the response or gives up; `never` once it has.
    var responseDue = Instant.never
    var response = Response.accepted
    /// When it reaches the phone; `never` if it has, or will not.
    var deliveryDue = Instant.never
    /// A newer push has replaced it in APNs' store.
    var isReplaced = false
    /// `true` if APNs sends it on from a channel, without a request of its own.
    var isFromChannel = false
    /// The state of the request at APNs, if APNs has a queue.
    var service = Service.none
    var isInUse = true

    /// The payload; newer content may replace it while the push waits.
    struct Payload {
        var content: ContentStamp
        /// The timestamp by which the phone orders content.
        var timestamp: Int64
        /// Its size [bytes]; 0 if sizes are not modelled.
        var bytes: UInt32
        /// The counter for the driver's photo, applied when the push is sent; nil if none was due.
        var photo: Counter?
        /// The number of drivers that had dropped the ride when the payload was created.
        var rematchCount: UInt16 = 0
        /// The counter for the car's photo, applied when the push is sent; nil if none was due.
        var carPhoto: Counter?
        /// `true` if it carries an alert, about ``alertStage``.
        var alerts = false
        var alertStage: UInt8 = 0
    }

    enum Service: UInt8 {
        /// Not at APNs, or no longer.
        case none
        case waiting
        case underWay
        /// At the remote APNs, which has yet to report the fate of the push.
        case remote
        /// At the remote APNs, which has reported that it does not have the request.
        case void
    }

    enum Response {
        case accepted
        case refused(APNsReason)
        case timedOut
        case connectionLost

        /// `true` if it comes from APNs.
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
    /// `true` if APNs has yet to decide its fate: the push has none and is not on its way.
    var isUndecided: Bool { !isConcluded && deliveryDue == .never }

    /// The kind of the event that ends its request.
    @inline(__always)
    var responseKind: EventKind { response.isAnswer ? .response : .silence }

    /// `true` if its request goes to a channel.
    @inline(__always)
    var isToChannel: Bool { ride & WorldEntity.channel != 0 }

    /// `true` if it is a start that renews an activity.
    @inline(__always)
    var isRenewal: Bool { kind == .start && life > 0 }

    /// `true` if the remote APNs has yet to decide its fate.
    var isRemote: Bool { service == .remote || service == .void }

    /// Keys the draws of this request; a push that is retried has several requests.
    @inline(__always)
    var drawIndex: UInt32 { PushIndex.request(index, attempt: UInt32(passage.attempt)) }
}
