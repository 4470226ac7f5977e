public import LiveActivityModel
import Quantities

extension Scenario {
    /// Removes settings that most random scenarios have and under which a cell runs event by event.
    ///
    /// - Parameter seed: If it is even, the sender has room; if it is a multiple of 3, the faults stay.
    public mutating func allowSpeculation(seed: UInt64) {
        if seed % 3 != 0 { faults = [] }
        apns.capacity = nil
        sender.preempt = .none
        sender.rateLimit = nil
        sender.retryBudget = nil
        sender.timeout = min(sender.timeout, .seconds(5))
        if seed % 2 == 0 { sender.streams = max(sender.streams, 100) }
        monitor.retry.budget?.perPush = 0
        content.wakeApp = nil
        content.endpoint = nil
        groups = nil
        devices.renderInterval = nil
    }
}
