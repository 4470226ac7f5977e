public import Quantities

extension Scenario {
    /// Something that breaks for a while.
    public struct Fault: Hashable, Sendable {
        /// What breaks.
        public var kind: Kind
        /// When, from the start of the run.
        public var at: TimeSpan
        /// For how long; ignored by `connection_lost`, which is an instant.
        public var duration: TimeSpan
        /// What part is hit, where the kind says so.
        public var share: Probability = .always
        /// How many times slower (1...1000) or what part of the speed is left (0...1), as the kind says; in steps of 0.001.
        public var factor = 1.0

        /// A fault of a kind.
        public init(kind: Kind, at: TimeSpan, duration: TimeSpan = .zero) {
            self.kind = kind
            self.at = at
            self.duration = duration
        }

        /// What can break.
        public enum Kind: String, CaseIterable, Sendable {
            /// APNs never answers: requests run into their time-out. `share`: of requests.
            case apnsSilent = "apns_silent"
            /// APNs answers 503. `share`: of requests.
            case apnsUnavailable = "apns_unavailable"
            /// Requests and deliveries take `factor` times as long; the work of APNs' servers does not.
            case apnsSlow = "apns_slow"
            /// The servers of APNs work at `factor` times their speed (0...1); at 0 they stand still. For
            /// ``Scenario/APNs/capacity``.
            case apnsCapacity = "apns_capacity"
            /// Connections are lost (GOAWAY) with what they carry. `share`: of connections.
            case connectionLost = "connection_lost"
            /// The sender begins nothing and hears nothing: what is due comes at the end (a collection of garbage, a deploy).
            case senderPaused = "sender_paused"
            /// The monitor does nothing.
            case monitorPaused = "monitor_paused"
            /// The server generates no content.
            case contentDown = "content_down"
            /// The server takes no token posts: they fail.
            case tokenPostDown = "token_post_down"
            /// Phones have no connection: a region, say. `share`: of phones.
            case devicesOffline = "devices_offline"
        }
    }
}
