package import LiveActivityModel
package import Quantities

/// A wire that connects the cells of a scenario's load with APNs.
///
/// Only the thread of the cells calls it, and it must not block. It adds incoming news to the inbox, from any thread.
package protocol LiveWire: Sendable {
    /// Begins the run at virtual instant 0 of a clock.
    func begin(_ clock: LiveClock, _ inbox: LiveInbox)
    /// Sends news of cells; the news of each cell are in order.
    func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant)
    /// Advances the time of the wire.
    func proceed(to now: Instant)
    /// Ends the run; nothing more will be sent.
    func end()
    /// The latencies of answers; nil for a wire without a network, whose times are the scenario's. May be read from any thread.
    var latencies: LatencyCourse? { get }
}

extension LiveWire {
    /// Does nothing.
    package func proceed(to now: Instant) {}
    /// Does nothing.
    package func end() {}
    /// None.
    package var latencies: LatencyCourse? { nil }
}
