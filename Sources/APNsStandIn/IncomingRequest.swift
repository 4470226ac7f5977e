import APNsProtocol
import NIOCore

/// A request whose body is still coming in.
struct IncomingRequest {
    /// What its head deserves.
    enum Verdict {
        case refused(APNsResponseReason)
        case push(AcceptedPush, token: Substring)
        case channels(RequestTarget, RequestFields)
    }

    let verdict: Verdict
    /// The provider's own id for the request, if it is a good one.
    let id: String?
    let idField: String
    let since: NIODeadline
    private(set) var bodyBytes = 0
    /// The body; no more of it than could still be accepted.
    private(set) var body: ByteBuffer?

    init(_ verdict: Verdict, _ fields: RequestFields, at now: NIODeadline) {
        self.verdict = verdict
        since = now
        var isChannels = false
        if case .channels = verdict { isChannels = true }
        idField = isChannels ? "apns-request-id" : "apns-id"
        let text = isChannels ? fields.requestID : fields.id
        if case .push = verdict {
            id = text
        } else {
            id = text.flatMap { RequestID(canonical: $0.utf8) == nil ? nil : $0 }
        }
    }

    /// What the response has for an id.
    var answerID: String { id ?? RequestID.random().canonical }

    mutating func take(_ bytes: ByteBuffer) {
        bodyBytes += bytes.readableBytes
        guard bodyBytes <= IncomingRequest.largestBody else {
            body = nil
            return
        }
        if body == nil {
            body = bytes
        } else {
            body?.writeImmutableBuffer(bytes)
        }
    }

    private static var largestBody: Int { 5120 }
}

extension RequestID {
    /// An id that nobody chose.
    static func random() -> RequestID {
        RequestID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}
