import NIOCore
import Wire

/// A request whose body is still coming in.
struct IncomingRequest {
    /// What its head deserves.
    enum Verdict {
        case refused(APNsResponseReason, RequestID?)
        case push(AcceptedPush, token: Substring)
        indirect case channels(RequestTarget, RequestFields)
    }

    /// Under which name the response has the id.
    enum IDField {
        case push
        case channels

        var name: StaticString {
            switch self {
            case .push: "apns-id"
            case .channels: "apns-request-id"
            }
        }
    }

    let verdict: Verdict
    let since: NIODeadline
    /// The head for the log; nil where requests are not logged.
    let loggedHead: LoggedHead?
    /// Whether the body is read, and not only counted.
    private let keepsBody: Bool
    private(set) var bodyBytes = 0
    /// The body, where it is read; no more of it than could still be accepted.
    private(set) var body: ByteBuffer?

    /// - Parameters:
    ///   - loggedHead: The head for the log, which reads the body of every request; nil: no log.
    ///   - wantsPayload: Whether the payload of a push is read.
    init(
        _ verdict: Verdict,
        at now: NIODeadline,
        loggedHead: LoggedHead? = nil,
        wantsPayload: (PushType) -> Bool
    ) {
        self.verdict = verdict
        self.loggedHead = loggedHead
        since = now
        keepsBody =
            switch verdict {
            case .refused: loggedHead != nil
            case .push(let push, _): loggedHead != nil || wantsPayload(push.kind.type)
            case .channels: true
            }
    }

    /// The provider's own id for the request, if it is a good one.
    var id: RequestID? {
        switch verdict {
        case .refused(_, let id): id
        case .push(let push, _): push.id
        case .channels(_, let fields): fields.requestID.flatMap { RequestID(canonical: $0.utf8) }
        }
    }

    /// Takes a piece of the body; returns how many bytes have come by now.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        bodyBytes += bytes.count
        if !keepsBody || bodyBytes > PushRules.largestBody {
            body = nil
        } else if body == nil {
            body = ByteBuffer(bytes: bytes)
        } else {
            body?.writeBytes(bytes)
        }
        return bodyBytes
    }
}
