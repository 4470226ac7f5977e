public import FreshnessCore
public import NIOCore
public import Quantities
import Wire

/// Load for an APNs endpoint: which pushes are sent when.
public struct PushLoad: Hashable, Sendable {
    /// When pushes are sent.
    public enum Arrivals: Hashable, Sendable {
        /// Each when it is due, whether those before it are answered or not.
        case open(RatePlan, ArrivalProcess = .even)
        /// A next one whenever one is answered, so that always as many are under way; measures the most that can be done.
        case closed(concurrency: Int, duration: TimeSpan)
    }

    /// When pushes are sent.
    public var arrivals: Arrivals
    /// What is sent in this time at the beginning is not measured.
    public var warmUp = TimeSpan.zero
    /// How many device tokens take turns.
    public var tokens = 100_000
    /// `apns-topic`.
    public var topic = "com.example.rider.push-type.liveactivity"
    /// `apns-priority`.
    public var priority = 10
    /// What is sent.
    public var payload = PayloadTemplate.update(byteCount: 500)
    /// When a push that is refused, or whose fate is unknown, is sent again; nil: never.
    public var retries: RetryPolicy?
    /// What limits the retries of all lanes together; nil: nothing does.
    public var retryBudget: RetryBudget?
    /// Names the world of random numbers: the spread of pauses between attempts, the gaps of a Poisson process.
    public var seed: UInt64 = 1

    /// The plan of an open load.
    public var plan: RatePlan? { if case .open(let plan, _) = arrivals { plan } else { nil } }

    /// How long new pushes come.
    public var duration: TimeSpan {
        switch arrivals {
        case .open(let plan, _): plan.duration
        case .closed(_, let duration): duration
        }
    }
}

extension PushLoad {
    /// An ordinary load.
    public init(_ arrivals: Arrivals) { self.init(arrivals: arrivals) }
}

/// What pushes of a load carry.
public enum PayloadTemplate: Hashable, Sendable {
    /// An update of a Live Activity with the time of sending, and as much content as makes it so long [bytes]; it is longer
    /// where an update needs more.
    case update(byteCount: Int)
    /// A document as it stands.
    case document(String)

    /// The document at a time [s since 1970].
    public func payload(unixSeconds: Int64) -> ByteBuffer {
        switch self {
        case .update(let byteCount):
            let (time, empty) = (Double(unixSeconds), Array("{}".utf8))
            let payload = ActivityPayload(timestamp: time, event: .update, contentState: empty)
            return ByteBuffer(bytes: payload.bytes(filledTo: byteCount))
        case .document(let text):
            return ByteBuffer(string: text)
        }
    }
}
