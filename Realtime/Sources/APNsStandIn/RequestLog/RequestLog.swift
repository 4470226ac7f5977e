import DequeModule
import NIOConcurrencyHelpers
import NIOCore
import Wire

/// The log of requests: each that came in whole, with the response and the effect at the phone.
///
/// All threads write to it. A request gets its number when it has come in; its line goes to the file once its outcome is known,
/// so that lines follow each other in that order. Memory is bounded: when a bound is reached, the oldest request is given
/// up, and its line is written with what is known of it.
package final class RequestLog: Sendable {
    /// The number of a request in the log, in order of arrival.
    struct Number: Hashable, Sendable {
        fileprivate let value: UInt64
    }

    /// The settings of a log.
    package struct Configuration: Hashable, Sendable {
        /// The file that lines are appended to; nil: none.
        package var file: String?
        /// The number of newest requests that queries find; 0: none.
        package var kept: Int

        /// A log.
        package init(file: String? = nil, kept: Int = 0) {
            (self.file, self.kept) = (file, kept)
        }

        /// The most requests that can be kept.
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

    /// The most requests whose outcome is not known yet.
    private static var mostOpen: Int { 65_536 }
    /// The most memory that requests take, roughly [bytes].
    private static var mostBytes: Int { 256 << 20 }

    /// A log, whose file is opened now.
    init(_ configuration: Configuration) throws(StandInError) {
        kept = configuration.kept
        if let path = configuration.file { file = try RequestLogFile(path) } else { file = nil }
    }

    /// `true` if queries find requests.
    var keepsRequests: Bool { kept > 0 }

    /// The number of lines that were not written.
    var lostLines: Int { file?.lostLines ?? 0 }

    // MARK: - Recording

    /// A request has come in.
    func received(_ request: LoggedRequest) -> Number {
        state.withLockedValue { state in
            state.requests.append(request)
            state.bytes += request.byteCount
            defer { trim(&state) }
            return Number(value: state.first + UInt64(state.requests.count) - 1)
        }
    }

    /// APNs has answered a request.
    func answered(_ number: Number, status: Int, reason: APNsResponseReason? = nil) {
        update(number) { $0.answered(status: status, reason: reason) }
    }

    /// A request gets no response.
    func unanswered(_ number: Number) { update(number) { $0.unanswered() } }

    /// A push has its effect; nil: it never reaches a phone.
    func settled(_ number: Number, _ effect: String?) { update(number) { $0.settled(effect) } }

    /// A run begins, and outcomes of requests before it are of no interest.
    func closeAll() {
        state.withLockedValue { state in
            for place in state.requests.indices where !state.requests[place].isClosed {
                close(&state.requests[place])
            }
            trim(&state)
        }
    }

    /// Writes what is left.
    func stop() async {
        closeAll()
        await file?.close()
    }

    // MARK: - Queries

    /// The newest requests, oldest first.
    ///
    /// - Parameter token: The device token that they have, in lowercase; nil: any.
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
            // One that was given up is no longer here.
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

    /// Gives up what there is no room for.
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
