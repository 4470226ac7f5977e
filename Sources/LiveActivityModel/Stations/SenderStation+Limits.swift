public import Quantities

extension SenderStation {
    /// The limits of a scenario's sender.
    public struct Limits: BitwiseCopyable, Sendable {
        let connections: Int
        /// The maximum number of requests in flight on one connection.
        let streams: Int
        let queueLimit: Int
        let displacesOldest: Bool
        let preempt: Scenario.Preemption
        /// The maximum number of requests for one push.
        let attempts: Int
        let timeout: TimeSpan
        /// `true` if pushes above the rate limit are dropped.
        let dropsAboveRate: Bool
        /// `true` if pushes above the rate limit wait.
        let waitsAboveRate: Bool

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
        }

        /// When the sender gives up on a request that was sent at an instant.
        @inline(__always)
        public func deadline(ofRequestAt sentAt: Instant) -> Instant { sentAt + timeout }

        /// Returns `true` if the sender still receives a response a span after its request; at exactly the timeout, it
        /// does.
        @inline(__always)
        public func isHeard(after span: TimeSpan) -> Bool { span <= timeout }

        /// The instant at which the sender receives a response or times out, for a response that would arrive at an
        /// instant.
        @inline(__always)
        func hearing(ofRequestAt sentAt: Instant, answeredAt instant: Instant) -> (at: Instant, isTimeOut: Bool) {
            isHeard(after: instant - sentAt) ? (instant, false) : (deadline(ofRequestAt: sentAt), true)
        }
    }
}
