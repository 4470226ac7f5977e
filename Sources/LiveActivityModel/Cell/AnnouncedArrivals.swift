/// Requests that a group has found for one of its cells, first in, first out.
///
/// They are announced in blocks and all used up before the next block, so the memory is that of one block.
struct AnnouncedArrivals {
    private var arrivals: ContiguousArray<ArrivalSequence.Arrival> = []
    private var next = 0
    /// Whether nothing will be announced after these.
    var areAll = false

    /// Takes the next request; nil when none is known.
    mutating func popFirst() -> ArrivalSequence.Arrival? {
        guard next < arrivals.count else { return nil }
        defer { next += 1 }
        return arrivals[next]
    }

    /// Adds the request after all others.
    mutating func append(_ arrival: ArrivalSequence.Arrival) {
        if next == arrivals.count {
            arrivals.removeAll(keepingCapacity: true)
            next = 0
        }
        arrivals.append(arrival)
    }
}
