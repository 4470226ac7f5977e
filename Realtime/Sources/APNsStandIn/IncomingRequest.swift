import NIOCore
import Wire

/// A request whose body is still arriving.
struct IncomingRequest {
    /// The result of checking its head.
    enum Verdict {
        case refused(APNsResponseReason, RequestID?)
        case push(AcceptedPush, token: Substring)
        indirect case channels(RequestTarget, RequestFields)
    }

    /// The field of the answer that carries the id.
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
    /// The head for the log; `nil` if requests are not logged.
    let loggedHead: LoggedHead?
    /// `true` if the body is read instead of only counted.
    private let keepsBody: Bool
    private(set) var bodyBytes = 0
    /// The body, if it is read, up to the maximum size that could be accepted.
    private(set) var body: ByteBuffer?

    /// - Parameters:
    ///   - loggedHead: The head for the log, which needs the body of every request; `nil` without a log.
    ///   - wantsPayload: `true` to read the payload of a push.
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

    /// The provider's own id of the request, if it is valid.
    var id: RequestID? {
        switch verdict {
        case .refused(_, let id): id
        case .push(let push, _): push.id
        case .channels(_, let fields): fields.requestID.flatMap { RequestID(canonical: $0.utf8) }
        }
    }

    /// Adds a piece of the body; returns the number of bytes so far.
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
