import NIOConcurrencyHelpers
import NIOCore
import Quantities

/// Where pushes go that reach phones: to the phone link that is up, or to the stand-in's own phones.
final class PhoneExchange: Sendable {
    let screens: PhoneScreens
    /// The stand-in's own time, which holds while no run has the phones.
    let clock: RunClock
    /// What no push may overtake, where the scenario keeps order.
    let order = ArrivalOrder()
    private let link = NIOLockedValueBox<NIOLoopBound<PhoneSession>?>(nil)

    private let shards = NIOLockedValueBox<[NIOLoopBound<LoopShard>]>([])

    init(screens: PhoneScreens, clock: RunClock) {
        self.screens = screens
        self.clock = clock
    }

    /// Adds a thread to those that are told what concerns all; called on its loop.
    func add(_ shard: LoopShard) {
        let bound = NIOLoopBound(shard, eventLoop: shard.loop)
        shards.withLockedValue { $0.append(bound) }
    }

    /// Tells something to the shard of every thread; done when all have heard it.
    func tellAll(
        _ tell: @escaping @Sendable (LoopShard) -> Void,
        answeringOn loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let told = shards.withLockedValue { $0 }
            .map { bound in bound.eventLoop.submit { tell(bound.value) } }
        return EventLoopFuture.andAllSucceed(told, on: loop)
    }

    /// How many threads there are.
    var threads: Int { shards.withLockedValue { $0.count } }

    /// Tells something to the shard of one thread.
    func tell(_ thread: Int, _ tell: @escaping @Sendable (LoopShard) -> Void) {
        let bound = shards.withLockedValue { $0[thread] }
        bound.eventLoop.execute { tell(bound.value) }
    }

    /// What all threads have counted.
    func tally(on loop: any EventLoop) -> EventLoopFuture<RequestCounts> {
        let parts = shards.withLockedValue { $0 }
            .map { bound in bound.eventLoop.submit { bound.value.tally } }
        return EventLoopFuture.whenAllSucceed(parts, on: loop)
            .map { parts in parts.reduce(into: RequestCounts()) { $0 += $1 } }
    }

    /// Makes a link the one that pushes go to; false where there is one already.
    func connect(_ candidate: PhoneSession, on loop: any EventLoop) -> Bool {
        let bound = NIOLoopBound(candidate, eventLoop: loop)
        return link.withLockedValue { current in
            guard current == nil else { return false }
            current = bound
            return true
        }
    }

    /// Whether a link is up, or on its way down.
    var hasLink: Bool { link.withLockedValue { $0 != nil } }

    /// A link is no more.
    func disconnect() { link.withLockedValue { $0 = nil } }

    /// Takes what a thread has gathered; returns how many pushes found no room.
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
