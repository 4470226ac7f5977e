import NIOCore
import Wire

/// Bodies and statuses of refusals, made once.
struct Responses {
    private let bodies: [ByteBuffer]
    private let statuses: [String]

    init() {
        bodies = APNsResponseReason.allCases.map { ByteBuffer(string: RefusalBody.text($0)) }
        statuses = APNsResponseReason.allCases.map { String($0.status) }
    }

    /// The status as a field's value.
    func status(_ reason: APNsResponseReason) -> String {
        statuses[reason.place]
    }

    /// The body of a refusal; with 410, since when the token has not been valid [UNIX ms].
    func body(_ reason: APNsResponseReason, since milliseconds: Int64?) -> ByteBuffer {
        guard reason.status == 410, let milliseconds else { return bodies[reason.place] }
        return ByteBuffer(string: RefusalBody.text(reason, timestampMilliseconds: milliseconds))
    }
}
