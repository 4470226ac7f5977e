package import LiveActivityModel
package import Quantities

/// What connects the cells of a live run with an APNs, wherever that is.
///
/// Called by the thread of the cells alone; it must not block. What it hears it leaves in the inbox, from any thread.
package protocol LiveWire: Sendable {
    /// The run begins at virtual instant 0 of a clock.
    func begin(_ clock: LiveClock, _ inbox: LiveInbox)
    /// Takes what cells have to tell, in the order in which it happened in each.
    func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant)
    /// Time has come so far.
    func proceed(to now: Instant)
    /// Nothing more will be sent.
    func end()
    /// How long answers took; nil of a wire without a network, whose times are the scenario's own. From any thread.
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
