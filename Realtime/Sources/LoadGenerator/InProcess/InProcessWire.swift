package import LiveActivityModel
package import Quantities
import Synchronization

/// A wire to ``InProcessAPNs``, for a load without a network.
package final class InProcessWire: LiveWire {
    private struct State {
        var apns: InProcessAPNs
        var inbox: LiveInbox?
        var items: ContiguousArray<LiveInbox.Item> = []

        mutating func deliver() {
            inbox?.put(items)
            items.removeAll(keepingCapacity: true)
        }
    }

    private let state: Mutex<State>

    /// A wire to an APNs with a scenario's rules.
    package init(_ rules: APNsRules) {
        state = Mutex(State(apns: InProcessAPNs(rules)))
    }

    /// Begins a run; news for its cells go to an inbox.
    package func begin(_ clock: LiveClock, _ inbox: LiveInbox) { state.withLock { $0.inbox = inbox } }

    /// Passes requests on to APNs, each at the instant at which it was sent.
    package func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant) {
        state.withLock { state in
            for news in news {
                // A request reaches APNs at the instant at which it was sent, however late the driver is.
                let sentAt = if case .request(let request) = news { request.sentAt } else { now }
                state.apns.hear(news, at: sentAt) { state.items.append($0) }
            }
            state.deliver()
        }
    }

    /// Handles the events of APNs that are due.
    package func proceed(to now: Instant) {
        state.withLock { state in
            state.apns.proceed(to: now) { state.items.append($0) }
            state.deliver()
        }
    }
}
