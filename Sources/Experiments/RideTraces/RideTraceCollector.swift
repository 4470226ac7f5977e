import LiveActivityModel
import Quantities

/// Gathers the rides of a trace row by row, and counts what is repaired or left out.
struct RideTraceCollector {
    /// How many names of other providers are remembered for a message.
    private static let rememberedProviders = 8

    private let trace: Scenario.Trace
    private let spellings: [[UInt8]]
    /// Requests are still by the trace's own clock.
    private var found: [TracedRide] = []
    private var read = 0
    private var otherProvider = 0
    private var otherProviders: [[UInt8]] = []
    private var repaired = [Int](repeating: 0, count: RideTimeline.Repair.allCases.count)
    private var leftOut = [Int](repeating: 0, count: RideTimeline.Omission.allCases.count)

    /// Gathers the rides that a trace asks for.
    init(_ trace: Scenario.Trace) {
        self.trace = trace
        spellings = RideProvider.spellings(of: trace.provider)
    }

    /// Takes one row.
    mutating func add(_ row: borrowing CSVRecord, _ columns: RideTraceColumns) {
        read += 1
        guard trace.provider.isEmpty || RideProvider.matches(row[columns.provider], spellings) else {
            otherProvider += 1
            remember(row[columns.provider])
            return
        }
        switch columns.timeline(of: row).cleaned(longestRide: trace.longestRide) {
        case .leftOut(let reason):
            leftOut[reason.index] += 1
        case .ride(let ride, let repairs):
            for repair in repairs { repaired[repair.index] += 1 }
            let request = trace.foldOntoOneDay ? CivilTime.timeOfDay(ride.requested) : ride.requested
            found.append(
                TracedRide(
                    request: Instant(microseconds: request),
                    stages: ride.stages,
                    isCancelled: ride.isCancelled
                )
            )
        }
    }

    /// The rides in the order of their requests, in file order where requests are equal.
    func rides() -> [TracedRide] {
        // Swift's sort keeps the order of equals but does not promise to. Numbers of 32 bits, for there are millions.
        let order = (0..<UInt32(found.count))
            .sorted { (found[Int($0)].request, $0) < (found[Int($1)].request, $1) }
        let origin = trace.foldOntoOneDay ? .start : (order.first.map { found[Int($0)].request } ?? .start)
        return order.map { index in
            var ride = found[Int(index)]
            ride.request = .start + (ride.request - origin)
            return ride
        }
    }

    /// What was kept, repaired and left out; reasons that no row had are not named.
    var cleaning: TraceCleaning {
        var cleaning = TraceCleaning()
        cleaning.read = read
        cleaning.kept = found.count
        cleaning.otherProvider = otherProvider
        cleaning.repaired = Self.counts(RideTimeline.Repair.allCases.map(\.rawValue), repaired)
        cleaning.leftOut = Self.counts(RideTimeline.Omission.allCases.map(\.rawValue), leftOut)
        return cleaning
    }

    /// Why no ride was found; nil where one was.
    var emptiness: String? {
        guard found.isEmpty else { return nil }
        if read == 0 { return "the trace has a header but no rows" }
        var reasons = cleaning.leftOut.map { "\($0.reason) \($0.rows)" }
        if otherProvider > 0 {
            let names = CSVTable.list(otherProviders.map { String(decoding: $0, as: UTF8.self) })
            reasons.insert("not of \"\(trace.provider)\" but of \(names) \(otherProvider)", at: 0)
        }
        return "none of the \(read) rows gives a ride: \(reasons.joined(separator: ", "))"
    }

    private mutating func remember(_ provider: ArraySlice<UInt8>) {
        guard otherProviders.count < Self.rememberedProviders else { return }
        if !otherProviders.contains(where: { $0.elementsEqual(provider) }) { otherProviders.append(Array(provider)) }
    }

    private static func counts(_ reasons: [String], _ rows: [Int]) -> [TraceCleaning.Count] {
        zip(reasons, rows).filter { $0.1 > 0 }.map { TraceCleaning.Count(reason: $0.0, rows: $0.1) }
    }
}

extension CaseIterable where Self: Equatable, AllCases: RandomAccessCollection, AllCases.Index == Int {
    /// The case's place among all cases.
    fileprivate var index: Int {
        Self.allCases.firstIndex(of: self) ?? Self.allCases.endIndex
    }
}
