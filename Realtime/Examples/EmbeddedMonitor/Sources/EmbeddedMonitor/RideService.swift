import FreshnessCore
import Logging
import Quantities

/// Sends pushes to APNs.
///
/// APNs' response returns as an acknowledgement over the service's API.
protocol PushSender: Sendable {
    func send(_ push: RideMonitor.Push)
}

/// A placeholder for your connection to APNs.
struct LoggingSender: PushSender {
    let logger: Logger

    func send(_ push: RideMonitor.Push) {
        // Neither the token nor the content, which must not appear in a log.
        logger.info("push \(push.number): \(push.kind.rawValue) for \(push.ride) at priority \(push.priority)")
    }
}

/// The shell around ``RideMonitor``: the clock, the alarm, and one caller at a time.
actor RideService {
    private var monitor: RideMonitor
    private let sender: any PushSender
    private let now: @Sendable () -> Instant
    // No other instance of the service shares these random numbers, so retries are not synchronised.
    private var draws = SystemRandomNumberGenerator()
    private var alarm: Task<Void, Never>?

    /// Creates a service; `now` counts from any start and never decreases.
    init(monitor: RideMonitor, sender: any PushSender, now: @escaping @Sendable () -> Instant) {
        self.monitor = monitor
        self.sender = sender
        self.now = now
    }

    deinit { alarm?.cancel() }

    func register(_ ride: String, token: String, staleAfter span: TimeSpan) {
        carryOut(monitor.registered(ride, token: token, staleDate: now() + span, at: now()))
    }

    func change(_ ride: String, content: String, staleAfter span: TimeSpan) -> Bool {
        let change = monitor.changed(ride, content: content, staleDate: now() + span, at: now())
        carryOut(change.pushes)
        return change.isTaken
    }

    func finish(_ ride: String) -> Bool {
        defer { look() }
        return monitor.finished(ride, at: now())
    }

    func acknowledge(_ push: Int, refusal: APNsReason?) -> Bool {
        defer { look() }
        return monitor.acknowledged(push, refusal: refusal, at: now())
    }

    func classification(of ride: String) -> FreshnessClass? { monitor.classification(of: ride, at: now()) }

    /// Does the due work, and sets the alarm to the next time.
    func look() { carryOut(monitor.act(at: now(), draws: &draws)) }

    private func carryOut(_ pushes: [RideMonitor.Push]) {
        for push in pushes { sender.send(push) }
        alarm?.cancel()
        let due = monitor.nextCheck(at: now())
        guard due != .never else { return }
        let pause = max(.zero, due - now())
        alarm = Task { [weak self] in
            guard (try? await Task.sleep(for: .microseconds(pause.microseconds))) != nil else { return }
            await self?.look()
        }
    }
}
