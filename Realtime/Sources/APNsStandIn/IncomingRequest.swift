import NIOCore
import Wire

/// A request whose body is still coming in.
struct IncomingRequest {
    /// What its head deserves.
    enum Verdict {
        case refused(APNsResponseReason)
        case push(AcceptedPush, token: Substring)
        case channels(RequestTarget, RequestFields)
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
    /// The provider's own id for the request, if it is a good one.
    let id: String?
    let idField: IDField
    let since: NIODeadline
    private(set) var bodyBytes = 0
    /// The body; no more of it than could still be accepted.
    private(set) var body: ByteBuffer?

    init(_ verdict: Verdict, _ fields: RequestFields, at now: NIODeadline) {
        self.verdict = verdict
        since = now
        var isChannels = false
        if case .channels = verdict { isChannels = true }
        idField = isChannels ? .channels : .push
        let text = isChannels ? fields.requestID : fields.id
        if case .push = verdict {
            id = text
        } else {
            id = text.flatMap { RequestID(canonical: $0.utf8) == nil ? nil : $0 }
        }
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        bodyBytes += bytes.count
        guard bodyBytes <= PushRules.largestBody else {
            body = nil
            return
        }
        if body == nil {
            body = ByteBuffer(bytes: bytes)
        } else {
            body?.writeBytes(bytes)
        }
    }
}
