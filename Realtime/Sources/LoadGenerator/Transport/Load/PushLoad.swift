package import FreshnessCore
package import NIOCore
package import Quantities
package import Wire

/// Load for an APNs endpoint: which pushes are sent when.
package struct PushLoad: Hashable, Sendable {
    /// When pushes are sent.
    package enum Arrivals: Hashable, Sendable {
        /// Each when it is due, whether those before it are answered or not.
        case open(RatePlan, ArrivalProcess = .even)
        /// A next one whenever one is answered, so that always as many are under way; measures the most that can be done.
        case closed(concurrency: Int, duration: TimeSpan)
    }

    /// When pushes are sent.
    package var arrivals: Arrivals
    /// What is sent in this time at the beginning is not measured.
    package var warmUp = TimeSpan.zero
    /// How many device tokens take turns.
    package var tokens = 100_000
    /// The device tokens that take turns; empty: ``tokens`` made ones.
    package var ownTokens: [DeviceToken] = []
    /// `apns-topic`.
    package var topic = "com.example.rider.push-type.liveactivity"
    /// `apns-priority`.
    package var priority = 10
    /// What is sent.
    package var payload = PayloadTemplate.update(byteCount: 500)
    /// When a push that is refused, or whose fate is unknown, is sent again; nil: never.
    package var retries: RetryPolicy?
    /// What limits the retries of all lanes together; nil: nothing does.
    package var retryBudget: RetryBudget?
    /// Names the world of random numbers: the spread of pauses between attempts, the gaps of a Poisson process.
    package var seed: UInt64 = 1
    /// Which part of it this generator sends; of a closed load always the whole.
    package var share = LoadShare.whole

    /// The plan of an open load.
    package var plan: RatePlan? { if case .open(let plan, _) = arrivals { plan } else { nil } }

    /// How long new pushes come.
    package var duration: TimeSpan {
        switch arrivals {
        case .open(let plan, _): plan.duration
        case .closed(_, let duration): duration
        }
    }
}

extension PushLoad {
    /// An ordinary load.
    package init(_ arrivals: Arrivals) { self.init(arrivals: arrivals) }
}

/// What pushes of a load carry.
package enum PayloadTemplate: Hashable, Sendable {
    /// An update of a Live Activity with a timestamp, filled with content to a length [bytes]; it is longer
    /// where an update needs more.
    case update(byteCount: Int)
    /// A user's document, with dates that move along.
    case document(PayloadDocument)

    /// `true` if each push gets a timestamp of its own.
    package var isStamped: Bool {
        switch self {
        case .update: true
        case .document(let document): document.isStamped
        }
    }

    /// The document with a timestamp [s since 1970].
    package func payload(unixSeconds: Int64) -> ByteBuffer {
        switch self {
        case .update(let byteCount):
            let (time, empty) = (Double(unixSeconds), Array("{}".utf8))
            let payload = ActivityPayload(timestamp: time, event: .update, contentState: empty)
            return ByteBuffer(bytes: payload.bytes(filledTo: byteCount))
        case .document(let document):
            return ByteBuffer(bytes: document.bytes(timestamp: unixSeconds))
        }
    }
}
