package import FreshnessCore
package import NIOCore
package import Quantities
package import Wire

/// A load on an APNs endpoint.
package struct PushLoad: Hashable, Sendable {
    /// The process by which pushes are sent.
    package enum Arrivals: Hashable, Sendable {
        /// An open loop, in which each push is sent at its due time, whether earlier ones are answered or not.
        case open(RatePlan, ArrivalProcess = .even)
        /// A closed loop, in which each answer is followed by the next push, so that a fixed number is in flight.
        case closed(concurrency: Int, duration: TimeSpan)
    }

    /// The process by which pushes are sent.
    package var arrivals: Arrivals
    /// The warm-up, which is not measured.
    package var warmUp = TimeSpan.zero
    /// The number of made-up device tokens, which take turns.
    package var tokens = 100_000
    /// The device tokens that take turns; empty: ``tokens`` made-up ones.
    package var ownTokens: [DeviceToken] = []
    /// `apns-topic`.
    package var topic = "com.example.rider.push-type.liveactivity"
    /// `apns-priority`.
    package var priority = 10
    /// The payload of pushes.
    package var payload = PayloadTemplate.update(byteCount: 500)
    /// The retry policy for pushes that are rejected or have an unknown fate; nil: no retries.
    package var retries: RetryPolicy?
    /// The budget of the retries of all lanes together; nil: no limit.
    package var retryBudget: RetryBudget?
    /// The seed of the jitter of retries and of the gaps of a Poisson process.
    package var seed: UInt64 = 1
    /// The share that this generator sends; always the whole of a closed load.
    package var share = LoadShare.whole

    /// The plan of an open load.
    package var plan: RatePlan? { if case .open(let plan, _) = arrivals { plan } else { nil } }

    /// The time for which new pushes are sent.
    package var duration: TimeSpan {
        switch arrivals {
        case .open(let plan, _): plan.duration
        case .closed(_, let duration): duration
        }
    }
}

extension PushLoad {
    /// A load with defaults.
    package init(_ arrivals: Arrivals) { self.init(arrivals: arrivals) }
}

/// The template of the payloads of a load.
package enum PayloadTemplate: Hashable, Sendable {
    /// An update of a Live Activity with a timestamp, padded to a length [bytes], or longer if an update needs more.
    case update(byteCount: Int)
    /// A user's document, whose dates are set for each push.
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
