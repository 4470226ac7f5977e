import Benchmarking

/// The hold model compared with std::priority_queue: populations, delays, touched state.
struct HoldComparison {
    let effort: Effort

    /// Passes all rows as they are measured.
    func run(add: (Row) -> Void) throws {
        func row(_ name: String, _ pending: Int, _ profile: DelayProfile = .exponential, touched: Int = 0) throws
            -> Turns
        {
            let (turns, memory) = try compare(pending: pending, profile: profile, touchedBytes: touched)
            let what =
                "hold \(profile.rawValue)\(touched > 0 ? ", touching \(touched) B" : ""), \(count(pending)) pending"
            add(Row(name, what, turns))
            if let memory {
                add(Row("\(name)-bytes", "  memory per pending event", memory.ours, "B", baseline: memory.baseline))
            }
            return turns
        }
        _ = try row("hold-64", 64)
        _ = try row("hold-1e3", 1000)
        let small = try row("hold-1e5", 100_000)
        let usual = try row("hold-1e6", 1_000_000)
        if effort.largest >= 10_000_000 {
            let large = try row("hold-1e7", 10_000_000)
            add(Row("hold-growth", "  1e7 pending over 1e5", large, over: small))
        }
        _ = try row("hold-mixed-1e6", 1_000_000, .mixed)
        _ = try row("hold-touch-1e6", 1_000_000, touched: 64)
        if effort.largest >= 10_000_000 {
            _ = try row("hold-touch-1e7", 10_000_000, touched: 64)
        }
        for profile in [DelayProfile.oneInstant, .inStep, .falling, .far] {
            let odd = try row("hold-\(profile.rawValue)-1e6", 1_000_000, profile)
            add(Row("hold-\(profile.rawValue)", "  over exponential", odd, over: usual))
        }
    }

    /// Measures both hold models in turn, warmed up, and their bytes per pending event if enough are pending.
    private func compare(
        pending: Int,
        profile: DelayProfile,
        touchedBytes: Int
    ) throws -> (Turns, memory: (ours: Double, baseline: Double)?) {
        let warmUp = max(effort.units, pending)
        let empty = heapBytesInUse()
        var ours = HoldModel(pending: pending, profile: profile, touchedBytes: touchedBytes)
        ours.run(units: warmUp)
        let withOurs = heapBytesInUse()
        let baseline = Baseline.hold(pending: pending, profile: profile, touchedBytes: touchedBytes)
        baseline.run(units: warmUp)
        let withBoth = heapBytesInUse()
        let name = "hold \(profile.rawValue), \(pending) pending"
        let turns = try Turns(&ours, baseline, named: name, effort: effort)
        guard pending >= 100_000, touchedBytes == 0 else { return (turns, nil) }
        // Memory added while both ran belongs to ours: the baseline's buffer has reached its final size.
        let oursBytes = withOurs - empty + max(0, heapBytesInUse() - withBoth)
        return (turns, (Double(oursBytes) / Double(pending), Double(withBoth - withOurs) / Double(pending)))
    }

    /// A power of ten in short form.
    private func count(_ number: Int) -> String {
        var (rest, exponent) = (number, 0)
        while rest.isMultiple(of: 10) { (rest, exponent) = (rest / 10, exponent + 1) }
        return rest == 1 ? "1e\(exponent)" : "\(number)"
    }
}
