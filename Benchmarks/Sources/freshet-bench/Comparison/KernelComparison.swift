import Benchmarking

/// M/M/1 and PHOLD.
struct KernelComparison {
    let effort: Effort
    /// The Python that has SimPy; nil if it is not available.
    let python: String?

    /// Passes all rows as they are measured.
    func run(add: (Row) -> Void) throws {
        try compareProcesses(add: add)
        try compareQueue(add: add)
    }

    private func compareProcesses(add: (Row) -> Void) throws {
        let count = 1_000_000
        var ours = ProcessHoldModel(processes: count)
        let baseline = Baseline.processes(count)
        ours.run(units: count)
        baseline.run(units: count)
        let turns = try Turns(&ours, baseline, named: "PHOLD", effort: effort)
        add(Row("phold-1e6", "PHOLD, 1e6 processes", turns))
    }

    private func compareQueue(add: (Row) -> Void) throws {
        var ours = SingleServerQueue()
        let baseline = Baseline.singleServerQueue()
        ours.run(units: effort.units)
        baseline.run(units: effort.units)
        let turns = try Turns(&ours, baseline, named: "M/M/1", effort: effort)
        add(Row("mm1-ns", "M/M/1, per customer; C++ raw events", turns))
        let (time, elsewhere) = (turns.ours.median, KernelComparison.processEngine)
        let what = "  a process-based C engine, elsewhere (not run here)"
        add(Row("mm1-processes", what, time, "ns", baseline: elsewhere, ratio: elsewhere / time))
        guard let python else {
            print("SimPy could not be installed: its row is omitted.")
            return
        }
        let simpy = SimPy(python: python, customers: effort.units / 10)
        let slow = try Turns(count: min(5, effort.turns)) {
            Turns.nanoseconds(of: &ours, units: effort.units)
        } baseline: {
            try simpy.nanosecondsPerCustomer()
        }
        add(Row("mm1-simpy", "  SimPy Store", slow, baselinePlaces: 0))
    }

    /// The time of Cimba's processes per M/M/1 customer [ns], once measured on another machine of this class; not
    /// measured here, because Cimba is not packaged.
    private static let processEngine = 129.0
}
