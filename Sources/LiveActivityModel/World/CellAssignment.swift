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

extension World {
    /// Returns the cell of a ride in a replication; a member of a group is in the cell of its group.
    ///
    /// - Complexity: O(1); with groups, O(*n*) for *n* groups requested before.
    public func cell(ofRide ride: UInt64, replication: UInt32) -> Int {
        let random = scenario.randomSource(ofReplication: replication, seed: nil)
        let assignment = CellAssignment(self, random)
        guard scenario.groups != nil else { return assignment.cell(ofRide: ride) }
        var run = ArrivalSequence(world: self, random: random)
        while let group = run.next() {
            if ride < group.ride + UInt64(group.size) { return assignment.cell(ofRide: group.ride) }
        }
        return 0
    }
}
