public import LiveActivityModel
public import SimulationKernel

/// What one cell did in one replication.
public struct CellResult: Sendable {
    /// Which replication, counted from 0.
    public let replication: Int
    /// Which cell, counted from 0.
    public let cell: Int
    /// What was measured.
    public let measurements: Measurements
    /// The hash of the cell's history.
    public let fingerprint: Fingerprint
}

/// What a whole run did: every cell of every replication, in order.
public struct RunResult: Sendable {
    /// The scenario that was run.
    public let scenario: Scenario
    /// Replications.
    public let replications: Int
    /// By replication, then by cell.
    public let cells: [CellResult]

    /// All cells of all replications added up.
    public let total: Measurements
    /// The cells of each replication added up.
    public let perReplication: [Measurements]

    init(scenario: Scenario, replications: Int, cells: [CellResult]) {
        self.scenario = scenario
        self.replications = replications
        self.cells = cells
        perReplication = (0..<replications)
            .map { replication in
                RunResult.sum(cells.filter { $0.replication == replication }.map(\.measurements))
            }
        total = RunResult.sum(perReplication)
    }

    private static func sum(_ parts: [Measurements]) -> Measurements {
        var sum = parts[0]
        for part in parts.dropFirst() {
            sum.add(part)
        }
        return sum
    }

    /// The hash of the whole run's history.
    public var fingerprint: Fingerprint {
        var combined = Fingerprint()
        for cell in cells {
            combined.combine(cell.fingerprint.value)
        }
        return combined
    }

    /// Independent, equally distributed parts of the run, from whose differences intervals are taken: replications if
    /// there are at least two, else cells, which differ only in the rides that hash to them.
    public var batches: [Measurements] {
        replications > 1 ? perReplication : cells.map(\.measurements)
    }
}
