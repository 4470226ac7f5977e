import DequeModule
import RandomStreams

/// The requests that the servers of one cell's APNs have not served yet, oldest first, and how many are in service.
///
/// Requests go by the numbers of whoever keeps them.
public struct APNsQueue: Sendable {
    private var waiting: Deque<UInt32> = []
    /// How many requests wait.
    public var waitingCount: Int { waiting.count }
    /// How many requests are in service.
    public private(set) var busy = 0

    /// Nothing waits, and all servers are free.
    init() {}

    /// What ``Scenario/Capacity`` says, in a form that is read for every request.
    struct Rules: Sendable {
        let servers: Int
        let serviceTime: SamplerID
        let order: Scenario.QueueOrder
        let dropsExpired: Bool

        init(_ capacity: Scenario.Capacity, serviceTime: SamplerID) {
            servers = capacity.servers
            self.serviceTime = serviceTime
            order = capacity.order
            dropsExpired = capacity.dropExpired
        }
    }

    /// A request has come.
    public mutating func joined(_ request: UInt32) {
        waiting.append(request)
    }

    /// A server takes the request that is served next; nil when none is free or none waits.
    ///
    /// It is busy until ``served()``.
    mutating func next(_ rules: Rules) -> UInt32? {
        guard busy < rules.servers else { return nil }
        let next =
            switch rules.order {
            case .fifo: waiting.popFirst()
            case .lifo: waiting.popLast()
            }
        if next != nil {
            busy += 1
        }
        return next
    }

    /// A server has done with a request, or turns away from it.
    public mutating func served() {
        busy -= 1
    }
}
