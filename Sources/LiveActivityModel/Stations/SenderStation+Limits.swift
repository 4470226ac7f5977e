public import Quantities

extension SenderStation {
    /// The numbers of a scenario's sender.
    public struct Limits: BitwiseCopyable, Sendable {
        let connections: Int
        /// Requests that one connection carries at a time.
        let streams: Int
        let queueLimit: Int
        let displacesOldest: Bool
        let preempt: Scenario.Preemption
        /// Requests in all for one push.
        let attempts: Int
        let timeout: TimeSpan
        /// Whether pushes above the rate limit are turned away.
        let dropsAboveRate: Bool
        /// Whether pushes above the rate limit wait.
        let waitsAboveRate: Bool
        /// Whether nothing but the number of streams limits requests, and none loses its stream to another.
        let isPlain: Bool

        init(_ sender: Scenario.Sender) {
            connections = sender.connections
            streams = sender.streams
            queueLimit = sender.queueLimit ?? .max
            displacesOldest = sender.overflow == .dropOldest
            preempt = sender.preempt
            attempts = sender.attempts
            timeout = sender.timeout
            dropsAboveRate = sender.rateLimit?.excess == .drop
            waitsAboveRate = sender.rateLimit?.excess == .wait
            isPlain = sender.rateLimit == nil && sender.preempt == .none
        }

        /// When a sender that waits since an instant gives a request up.
        @inline(__always)
        public func deadline(ofRequestAt sentAt: Instant) -> Instant { sentAt + timeout }

        /// Whether the sender still hears an answer that comes so long after the request; at the very time-out it does.
        @inline(__always)
        public func isHeard(after span: TimeSpan) -> Bool { span <= timeout }

        /// When the sender hears of a request, and whether its time-out comes before an answer that would come at an instant.
        @inline(__always)
        func hearing(ofRequestAt sentAt: Instant, answeredAt instant: Instant) -> (at: Instant, isTimeOut: Bool) {
            isHeard(after: instant - sentAt) ? (instant, false) : (deadline(ofRequestAt: sentAt), true)
        }
    }
}
