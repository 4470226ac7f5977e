public import Quantities
import SimulationKernel

/// The rules of a sender: a scenario and a replication, with the random draws for its pushes.
///
/// As in ``APNsRules``, a draw is keyed by the push, so it has the same patience in every host that gives its ride the
/// same number. The monitor service uses a hash of the instance's name.
public struct SenderRules: Sendable {
    private let world: World
    private let random: RandomSource

    /// Creates the rules of a scenario's sender in one replication.
    public init(world: World, replication: UInt32 = 0) {
        self.init(world: world, random: world.scenario.randomSource(ofReplication: replication, seed: nil))
    }

    init(world: World, random: RandomSource) {
        self.world = world
        self.random = random
    }

    /// An idle sender with all connections open.
    public var station: SenderStation {
        SenderStation(world.sender, limiter: world.limiter, repeatBudget: world.repeatBudget)
    }

    /// Returns `true` if a push may be merged into a waiting one of its activity; see ``WaitingPush``.
    ///
    /// - Parameter isConnected: `true` if the sender has any connection. Without one it cannot know for how long, so it
    ///   keeps only the newest content of each activity. The simulated sender always reconnects.
    public func joins(whileConnected isConnected: Bool) -> Bool { world.rules.coalesces || !isConnected }

    /// `true` if a push may take the stream of a request in flight, which some hosts cannot do.
    public var preempts: Bool { world.scenario.sender.preempt != .none }

    /// The rank of a kind of push; of an update in a stage without a rank.
    public func rank(of kind: StoryLine.PushKind) -> Int { world.scenario.sender.ranks.rank(of: kind) }

    /// How long a push waits, from its offer, until it is dropped; nil for no limit.
    public func patience(ofRide ride: UInt64, drawIndex: UInt32) -> TimeSpan? {
        world.samplers.patience.map { world.bank.timeSpan($0, draw(ride, .patience, drawIndex)) }
    }

    /// The time after which a push that found the queue full is offered again, at least a microsecond; nil if it is
    /// not.
    ///
    /// - Parameter trip: The number of times pushes of its activity were deferred before.
    public func absence(ofRide ride: UInt64, trip: UInt32) -> TimeSpan? {
        world.samplers.requeueAfter
            .map { max(world.bank.timeSpan($0, draw(ride, .requeueAfter, trip)), TimeSpan(microseconds: 1)) }
    }

    private func draw(_ ride: UInt64, _ purpose: Purpose, _ index: UInt32) -> UInt64 {
        random.draw(entity: ride, purpose: purpose.rawValue, index: index)
    }
}
