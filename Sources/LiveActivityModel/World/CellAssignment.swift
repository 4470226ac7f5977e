import SimulationKernel

/// The assignment of a replication's rides to cells.
///
/// It hashes the ride's number with a salt of the replication. The numbers of rides per cell thus vary between seeds
/// and replications, so the differences between cells show the effect of chance.
public struct CellAssignment: Sendable {
    private let salt: UInt64
    private let cells: UInt64

    init(_ world: World, _ random: RandomSource) {
        salt = random.draw(entity: WorldEntity.cells, purpose: Purpose.cellSalt.rawValue, index: 0)
        cells = UInt64(world.scenario.cells)
    }

    /// Creates the assignment of a replication, with the scenario's seed.
    public init(_ world: World, replication: UInt32) {
        self.init(world, world.scenario.randomSource(ofReplication: replication, seed: nil))
    }

    /// The cell of a ride; all rides of a rider are in the same.
    ///
    /// For a member of a group, ask for the group's first ride.
    @inline(__always)
    public func cell(ofRide ride: UInt64) -> Int {
        Int(cells.multipliedFullWidth(by: Self.mixed(RideNumber.first(ofRider: ride) ^ salt)).high)
    }

    /// The finaliser of MurmurHash3: spreads neighbouring numbers over all 64 bits.
    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return bits ^ bits >> 33
    }
}

/// The cells of a replication's rides; a member of a group is in the cell of its group, and so is the group's channel.
///
/// - Complexity: O(*n*) memory for *n* groups; none without groups or with a single cell.
public struct RideCells: Sendable {
    private let assignment: CellAssignment
    /// The first rides of all groups, in order; empty if each ride has a cell of its own.
    private let groups: [UInt64]

    /// Creates the cells of a replication, with the scenario's seed.
    public init(_ world: World, replication: UInt32) {
        self.init(world, world.scenario.randomSource(ofReplication: replication, seed: nil))
    }

    init(_ world: World, _ random: RandomSource) {
        assignment = CellAssignment(world, random)
        var groups: [UInt64] = []
        if world.scenario.groups != nil, world.scenario.cells > 1 {
            var run = ArrivalSequence(world: world, random: random)
            while let group = run.next() { groups.append(group.ride) }
        }
        self.groups = groups
    }

    /// The cell of a ride, or of a channel.
    ///
    /// - Complexity: O(log *n*) for *n* groups.
    public func cell(ofRide ride: UInt64) -> Int {
        guard !groups.isEmpty else { return assignment.cell(ofRide: ride) }
        let ride = ride & ~WorldEntity.channel
        var (first, end) = (0, groups.count)
        while end - first > 1 {
            let middle = (first + end) / 2
            if groups[middle] <= ride { first = middle } else { end = middle }
        }
        return assignment.cell(ofRide: groups[first])
    }
}

extension World {
    /// Returns the cell of a ride in a replication; a member of a group is in the cell of its group.
    ///
    /// - Complexity: O(1); with groups, O(*n*) for *n* groups.
    public func cell(ofRide ride: UInt64, replication: UInt32) -> Int {
        RideCells(self, replication: replication).cell(ofRide: ride)
    }
}
