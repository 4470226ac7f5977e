import Benchmarking

/// M/M/1 and PHOLD.
struct KernelComparison {
    let effort: Effort
    /// The Python that has SimPy; nil when it could not be had.
    let python: String?

    /// All rows, as they are measured.
    func run(add: (Row) -> Void) throws {
        try compareProcesses(add: add)
        try compareQueue(add: add)
    }

    private func compareProcesses(add: (Row) -> Void) throws {
        let count = 1_000_000
        var ours = ProcessHoldModel(processes: count)
        let baseline = BaselineProcesses(count: count)
        ours.run(events: count)
        baseline.run(events: count)
        let turns = Turns(units: effort.units, count: effort.turns) {
            ours.run(events: effort.units)
        } baseline: {
            baseline.run(events: effort.units)
        }
        guard ours.trajectoryHash == baseline.trajectoryHash else {
            throw TrajectoryError.differentTrajectories("PHOLD")
        }
        add(Row(name: "phold-1e6", workload: "PHOLD, 1e6 processes", turns))
    }

    private func compareQueue(add: (Row) -> Void) throws {
        var ours = SingleServerQueue()
        let baseline = BaselineQueue()
        ours.run(customers: effort.units)
        baseline.run(customers: effort.units)
        let turns = Turns(units: effort.units, count: effort.turns) {
            ours.run(customers: effort.units)
        } baseline: {
            baseline.run(customers: effort.units)
        }
        guard ours.trajectoryHash == baseline.trajectoryHash else {
            throw TrajectoryError.differentTrajectories("M/M/1")
        }
        add(Row(name: "mm1-ns", workload: "M/M/1, per customer; C++ raw events", turns))
        add(
            Row(
                name: "mm1-processes",
                workload: "  a process-based C engine, elsewhere (not run here)",
                nanoseconds: turns.ours.median,
                baseline: KernelComparison.processEngine,
                ratio: KernelComparison.processEngine / turns.ours.median
            )
        )
        guard let python else {
            print("SimPy could not be installed: its row is left out.")
            return
        }
        let simpy = try SimPy(python: python, customers: effort.units / 10)
        let slow = try Turns(count: min(5, effort.turns)) {
            Turns.nanoseconds { ours.run(customers: effort.units) } / Double(effort.units)
        } baseline: {
            try simpy.nanosecondsPerCustomer()
        }
        add(Row(name: "mm1-simpy", workload: "  SimPy Store", slow, places: 0))
    }

    /// Cimba's processes, ns per M/M/1 customer, as once measured on another machine of this class; not measured here,
    /// for it is not packaged.
    private static let processEngine = 129.0
}
