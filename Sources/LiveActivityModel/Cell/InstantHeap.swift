import Quantities

/// Instants of which the first is at hand: a binary heap in memory of its own.
struct InstantHeap: ~Copyable {
    private var places: UnsafeMutablePointer<Instant>
    private var capacity = 16
    private(set) var count = 0
    /// The first of them; `never` where there is none.
    private(set) var first = Instant.never

    /// No instants.
    init() { places = .allocate(capacity: capacity) }

    deinit { places.deallocate() }

    /// Adds an instant.
    ///
    /// - Complexity: O(log *n*); O(1) for one that is behind most.
    mutating func insert(_ instant: Instant) {
        if count == capacity { grow() }
        var hole = count
        count &+= 1
        while hole > 0 {
            let parent = (hole &- 1) / 2
            guard instant < places[parent] else { break }
            places[hole] = places[parent]
            hole = parent
        }
        places[hole] = instant
        first = places[0]
    }

    /// Takes the first instant.
    ///
    /// - Precondition: There is one.
    /// - Complexity: O(log *n*).
    mutating func removeFirst() -> Instant {
        let removed = first
        count &-= 1
        let last = places[count]
        var hole = 0
        while true {
            var child = 2 &* hole &+ 1
            guard child < count else { break }
            if child &+ 1 < count, places[child &+ 1] < places[child] { child &+= 1 }
            guard places[child] < last else { break }
            places[hole] = places[child]
            hole = child
        }
        places[hole] = last
        first = count == 0 ? .never : places[0]
        return removed
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Instant>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: places, count: count)
        places.deallocate()
        places = larger
        capacity *= 2
    }
}
