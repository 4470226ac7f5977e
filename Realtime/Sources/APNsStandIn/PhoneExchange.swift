import NIOConcurrencyHelpers
import NIOCore
import Quantities

/// Routes pushes to phones: to the open phone link, or to the stand-in's own phones.
final class PhoneExchange: Sendable {
    let screens: PhoneScreens
    /// The stand-in's own time, which applies while no phone link is open.
    let clock: RunClock
    /// The order of arrivals, if the scenario keeps it.
    let order = ArrivalOrder()
    private let link = NIOLockedValueBox<NIOLoopBound<PhoneSession>?>(nil)

    private let shards = NIOLockedValueBox<[NIOLoopBound<LoopShard>]>([])

    init(screens: PhoneScreens, clock: RunClock) {
        self.screens = screens
        self.clock = clock
    }

    /// Adds a thread to those that receive common events; called on its loop.
    func add(_ shard: LoopShard) {
        let bound = NIOLoopBound(shard, eventLoop: shard.loop)
        shards.withLockedValue { $0.append(bound) }
    }

    /// Sends an event to the shard of every thread; completes after all have received it.
    func tellAll(
        _ tell: @escaping @Sendable (LoopShard) -> Void,
        answeringOn loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let told = shards.withLockedValue { $0 }
            .map { bound in bound.eventLoop.submit { tell(bound.value) } }
        return EventLoopFuture.andAllSucceed(told, on: loop)
    }

    /// The number of threads.
    var threads: Int { shards.withLockedValue { $0.count } }

    /// Sends an event to the shard of one thread.
    func tell(_ thread: Int, _ tell: @escaping @Sendable (LoopShard) -> Void) {
        let bound = shards.withLockedValue { $0[thread] }
        bound.eventLoop.execute { tell(bound.value) }
    }

    /// Collects the counts of all threads.
    func tally(on loop: any EventLoop) -> EventLoopFuture<RequestCounts> {
        let parts = shards.withLockedValue { $0 }
            .map { bound in bound.eventLoop.submit { bound.value.tally } }
        return EventLoopFuture.whenAllSucceed(parts, on: loop)
            .map { parts in parts.reduce(into: RequestCounts()) { $0 += $1 } }
    }

    /// Connects a phone link; returns `false` if one is connected already.
    func connect(_ candidate: PhoneSession, on loop: any EventLoop) -> Bool {
        let bound = NIOLoopBound(candidate, eventLoop: loop)
        return link.withLockedValue { current in
            guard current == nil else { return false }
            current = bound
            return true
        }
    }

    /// `true` if a link is open or closing.
    var hasLink: Bool { link.withLockedValue { $0 != nil } }

    /// Records that the link is closed.
    func disconnect() { link.withLockedValue { $0 = nil } }

    /// Routes the output of a thread; returns the number of pushes that found no room.
    func take(_ batch: PhoneBatch, from loop: any EventLoop) -> Int {
        switch batch.mode {
        case .none: return 0
        case .screens: return screens.take(batch.arrivals)
        case .link:
            guard let bound = link.withLockedValue({ $0 }) else { return 0 }
            if bound.eventLoop === loop {
                bound.value.send(batch.lines)
            } else {
                bound.eventLoop.execute { bound.value.send(batch.lines) }
            }
            return 0
        }
    }
}
