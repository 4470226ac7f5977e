import FreshnessCore
import LiveActivityModel
package import LoadGenerator
package import NIOCore
import Quantities
import Synchronization
import Wire

/// Sends the monitor's pushes over a pool of connections to APNs.
package final class APNsPushTransport: PushTransport {
    private let pool: APNsPool
    private let relay: AnswerRelay
    private let topic: String

    /// Creates a transport that starts to connect at once.
    ///
    /// - Parameters:
    ///   - provider: The provider whose key signs tokens; `nil` if no token is required.
    ///   - topic: `<bundle id>.push-type.liveactivity`.
    ///   - clock: The monitor's clock, which converts wall-clock times from APNs.
    /// - Throws: An error if certificates cannot be read or the key cannot sign.
    package init(
        endpoint: APNsEndpoint,
        provider: ProviderIdentity?,
        topic: String,
        configuration: APNsPoolConfiguration,
        clock: any MonitorClock,
        group: any EventLoopGroup
    ) async throws {
        relay = AnswerRelay(clock: clock)
        self.topic = topic
        pool = try await APNsPool(
            endpoint: endpoint,
            configuration: configuration,
            provider: provider,
            group: group,
            handler: relay
        )
    }

    package func start(_ hear: @escaping @Sendable (PushNews) -> Void) { relay.start(hear) }

    package func send(_ pushes: [OutgoingPush]) {
        let now = NIODeadline.now()
        pool.send(
            pushes.map { push in
                APNsRequest(
                    number: push.number,
                    id: push.requestID,
                    target: APNsRequest.Target(push.token.address),
                    topic: topic,
                    priority: push.decision.priority.rawValue,
                    payload: ByteBuffer(bytes: push.payload),
                    due: now
                )
            }
        )
    }

    package var waitingCount: Int { pool.waiting }

    package func shutDown() async { await pool.close() }

    /// Converts outcomes for the monitor.
    private final class AnswerRelay: APNsCompletionHandler {
        private struct State {
            var hear: (@Sendable (PushNews) -> Void)?
            /// The number of connections by lane.
            var connections: [Int: Int] = [:]

            var isConnected: Bool { connections.values.contains { $0 > 0 } }
        }

        private let state = Mutex(State())
        private let clock: any MonitorClock

        init(clock: any MonitorClock) {
            self.clock = clock
        }

        func start(_ hear: @escaping @Sendable (PushNews) -> Void) {
            state.withLock {
                $0.hear = hear
                hear(.connected($0.isConnected))
            }
        }

        func completed(_ completions: [APNsCompletion]) {
            let hear = state.withLock(\.hear)
            hear?(.answers(completions.map { PushAnswer(number: $0.number, outcome: PushOutcome($0.outcome, clock)) }))
        }

        func connectionsChanged(to count: Int, lane: Int) {
            // Reported under the lock, so that the last report is the last state.
            state.withLock {
                $0.connections[lane] = count
                $0.hear?(.connected($0.isConnected))
            }
        }
    }
}

extension APNsRequest.Target {
    /// The addressee of a push to an instance.
    fileprivate init(_ address: PushAddress) {
        switch address {
        case .token(let token): self = .device(token)
        case .channel(let channel): self = .broadcast(channel: channel.text)
        }
    }
}

extension PushOutcome {
    /// Creates the core's outcome.
    init(_ outcome: APNsOutcome, _ clock: any MonitorClock) {
        switch outcome {
        case .answered(let answer):
            if answer.isAccepted {
                self = .accepted
            } else {
                self = .refused(
                    APNsReason(status: answer.status, reason: answer.reason),
                    deadSince: answer.timestampMilliseconds
                        .map { clock.instant(ofWall: Instant(microseconds: $0.multipliedCapped(by: 1000))) }
                )
            }
        case .notProcessed: self = .notProcessed
        // The core's sender has one timeout, for the wait for a stream and for an answer.
        case .timedOut, .notSent, .connectionLost: self = .unanswered
        }
    }
}

extension Int64 {
    fileprivate func multipliedCapped(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max - 1 : product
    }
}
