public import Quantities
import SimulationKernel

/// What a sender works by: a scenario and one of its possible histories, with the draws that pushes meet there.
///
/// As with ``APNsRules`` a draw belongs to the push: it waits as patiently in every host that names its ride alike. The
/// monitor service keys by a hash of the instance's name.
public struct SenderRules: Sendable {
    private let world: World
    private let random: RandomSource

    /// The rules of a scenario's sender in one of its possible histories.
    public init(world: World, replication: UInt32 = 0) {
        self.init(world: world, random: world.scenario.randomSource(ofReplication: replication, seed: nil))
    }

    init(world: World, random: RandomSource) {
        self.world = world
        self.random = random
    }

    /// A sender with nothing to send, all its connections up.
    public var station: SenderStation {
        SenderStation(world.sender, limiter: world.limiter, repeatBudget: world.repeatBudget)
    }

    /// Whether a push may join another of its activity that waits; see ``WaitingPush``.
    ///
    /// - Parameter isConnected: Whether the sender has a connection at all. One that has none cannot know for how long, so
    ///   it keeps the newest content of each activity and no more. The simulated one is never without for good.
    public func joins(whileConnected isConnected: Bool) -> Bool { world.rules.coalesces || !isConnected }

    /// Whether a push may take the stream of a request under way, which a host may not be able to do.
    public var preempts: Bool { world.scenario.sender.preempt != .none }

    /// The rank of a kind of push; of an update in a stage that has none of its own.
    public func rank(of kind: StoryLine.PushKind) -> Int { world.scenario.sender.ranks.rank(of: kind) }

    /// How long a push waits, from when it was offered, until it is dropped; nil: without limit.
    public func patience(ofRide ride: UInt64, drawIndex: UInt32) -> TimeSpan? {
        world.samplers.patience.map { world.bank.timeSpan($0, draw(ride, .patience, drawIndex)) }
    }

    /// After what time a push that found no place comes again, a microsecond at least; nil: it does not.
    ///
    /// - Parameter trip: How many pushes of its activity were put off before.
    public func absence(ofRide ride: UInt64, trip: UInt32) -> TimeSpan? {
        world.samplers.requeueAfter
            .map { max(world.bank.timeSpan($0, draw(ride, .requeueAfter, trip)), TimeSpan(microseconds: 1)) }
    }

    private func draw(_ ride: UInt64, _ purpose: Purpose, _ index: UInt32) -> UInt64 {
        random.draw(entity: ride, purpose: purpose.rawValue, index: index)
    }
}
