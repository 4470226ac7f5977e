import DequeModule
import NIOConcurrencyHelpers
import NIOCore
import Wire

/// The log of requests: each complete request, with the answer and the effect at the phone.
///
/// All threads write to it. A request gets its number when it is complete. Its line is written once its outcome is
/// known, so lines are in order of completion. Memory is limited: at the limit, the oldest request is closed, and its
/// line is written with the known data.
package final class RequestLog: Sendable {
    /// The number of a request in the log, in order of arrival.
    struct Number: Hashable, Sendable {
        fileprivate let value: UInt64
    }

    /// The settings of a log.
    package struct Configuration: Hashable, Sendable {
        /// The file to append lines to; `nil` for none.
        package var file: String?
        /// The number of newest requests to keep for queries; 0 for none.
        package var kept: Int

        /// Creates the settings of a log.
        package init(file: String? = nil, kept: Int = 0) {
            (self.file, self.kept) = (file, kept)
        }

        /// The maximum number of requests that can be kept.
        static var mostKept: Int { 100_000 }

        /// `true` if there is anything to log.
        var isOn: Bool { file != nil || kept > 0 }
    }

    private struct State {
        /// The requests from number `first` on.
        var requests: Deque<LoggedRequest> = []
        var first: UInt64 = 0
        var bytes = 0
    }

    private let kept: Int
    private let file: RequestLogFile?
    private let state = NIOLockedValueBox(State())

    /// The maximum number of requests with an unknown outcome.
    private static var mostOpen: Int { 65_536 }
    /// The approximate maximum memory of requests [bytes].
    private static var mostBytes: Int { 256 << 20 }

    /// Creates a log and opens its file.
    init(_ configuration: Configuration) throws(StandInError) {
        kept = configuration.kept
        if let path = configuration.file { file = try RequestLogFile(path) } else { file = nil }
    }

    /// `true` if queries find requests.
    var keepsRequests: Bool { kept > 0 }

    /// The number of lines that were not written.
    var lostLines: Int { file?.lostLines ?? 0 }

    // MARK: - Recording

    /// Records a complete request.
    func received(_ request: LoggedRequest) -> Number {
        state.withLockedValue { state in
            state.requests.append(request)
            state.bytes += request.byteCount
            defer { trim(&state) }
            return Number(value: state.first + UInt64(state.requests.count) - 1)
        }
    }

    /// Records APNs' answer to a request.
    func answered(_ number: Number, status: Int, reason: APNsResponseReason? = nil) {
        update(number) { $0.answered(status: status, reason: reason) }
    }

    /// Records that a request gets no answer.
    func unanswered(_ number: Number) { update(number) { $0.unanswered() } }

    /// Records the effect of a push; `nil` if it never reaches a phone.
    func settled(_ number: Number, _ effect: String?) { update(number) { $0.settled(effect) } }

    /// Closes all requests, because a run begins and earlier outcomes no longer matter.
    func closeAll() {
        state.withLockedValue { state in
            for place in state.requests.indices where !state.requests[place].isClosed {
                close(&state.requests[place])
            }
            trim(&state)
        }
    }

    /// Writes the remaining lines.
    func stop() async {
        closeAll()
        await file?.close()
    }

    // MARK: - Queries

    /// Returns the newest requests, oldest first.
    ///
    /// - Parameter token: Their device token, in lowercase; `nil` for any.
    func newest(_ limit: Int, token: String?) -> [LoggedRequest] {
        state.withLockedValue { state in
            var found: [LoggedRequest] = []
            for request in state.requests.suffix(kept).reversed() where found.count < limit {
                if let token, request.head.token?.lowercased() != token { continue }
                found.append(request)
            }
            return found.reversed()
        }
    }

    // MARK: - Private

    private func update(_ number: Number, _ change: (inout LoggedRequest) -> Void) {
        state.withLockedValue { state in
            // A request that was closed early is no longer here.
            guard number.value >= state.first else { return }
            let place = Int(number.value - state.first)
            guard !state.requests[place].isClosed else { return }
            change(&state.requests[place])
            guard state.requests[place].isClosed else { return }
            file?.append(state.requests[place].line)
            trim(&state)
        }
    }

    private func close(_ request: inout LoggedRequest) {
        request.close()
        file?.append(request.line)
    }

    /// Closes the oldest requests until the rest are within the limits.
    private func trim(_ state: inout State) {
        while var oldest = state.requests.first {
            let isFull = state.requests.count > max(kept, RequestLog.mostOpen) || state.bytes > RequestLog.mostBytes
            guard isFull || oldest.isClosed && state.requests.count > kept else { return }
            if !oldest.isClosed { close(&oldest) }
            state.bytes -= oldest.byteCount
            state.requests.removeFirst()
            state.first += 1
        }
    }
}
