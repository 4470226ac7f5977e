import LiveActivityModel
import Quantities
import SimulationKernel

/// Gathers the rides of a trace row by row, and counts what is repaired or left out.
struct RideTraceCollector {
    /// How many names of other providers are remembered for a message.
    private static let rememberedProviders = 8

    /// The order of day and month in dates that have both as numbers.
    var order: Scenario.DateOrder
    private let trace: Scenario.Trace
    private let columns: RideTraceColumns
    /// The durations of the four stages, for moments that the file has no column for; nil where it has all of them.
    private let durations: [Sampler]?
    /// The columns of times.
    private let times: [Int]
    private let spellings: [[UInt8]]
    /// Requests are still by the trace's own clock.
    private var found: [TracedRide] = []
    private var read = 0
    private var otherProvider = 0
    private var otherProviders: [[UInt8]] = []
    private var repaired = [Tally](repeating: Tally(), count: RideTimeline.Repair.allCases.count)
    private var leftOut = [Tally](repeating: Tally(), count: RideTimeline.Omission.allCases.count)
    /// Rides that seem to end before their pickup because the clock was set back.
    private var leftOutByClock = Tally()
    private var firstUnparsable: String?
    private var unusedTimes: [Int] = []
    private var zones = ZoneCheck()
    private var clock: LocalClock

    /// Rows of one kind.
    private struct Tally {
        var rows = 0
        var firstLine = 0

        mutating func add(_ line: Int) {
            if rows == 0 { firstLine = line }
            rows += 1
        }
    }

    /// Gathers the rides that a trace asks for.
    init(_ trace: Scenario.Trace, _ columns: RideTraceColumns, names: [ColumnName], durations: [Sampler]?) {
        self.trace = trace
        self.columns = columns
        times = columns.times
        order = trace.dates ?? .monthFirst
        self.durations = columns.lacksMoments ? durations : nil
        spellings = RideProvider.spellings(of: trace.provider)
        clock = LocalClock(names, zone: trace.timeZone)
    }

    /// Notes the order of day and month in the dates of a row.
    ///
    /// - Returns: `true` if one of them has its day and its month as numbers in one of both orders.
    func noteDates(of row: borrowing CSVRecord, in dates: inout DateOrderCheck) -> Bool {
        var isFound = false
        for field in times where dates.note(field, in: row) { isFound = true }
        return isFound
    }

    /// Takes one row.
    ///
    /// - Returns: The field of an unknown status; nil where the row was counted.
    mutating func add(_ row: borrowing CSVRecord) -> Int? {
        if read == 0 { unusedTimes = columns.unusedTimes(in: row) }
        read += 1
        if let provider = columns.provider, !trace.provider.isEmpty,
            !RideProvider.matches(row[provider], spellings)
        {
            otherProvider += 1
            remember(row[provider])
            return nil
        }
        let status = columns.status.map { RideStatus(row[$0]) } ?? .completed
        guard let status else { return columns.status }
        var timeline = columns.timeline(of: row, order, &zones)
        timeline.isCompleted = status == .completed
        if timeline.hasUnparsableTime, firstUnparsable == nil, let field = columns.unparsableField(of: row, order) {
            firstUnparsable = OneLine.excerpt(row.text(field))
        }
        let isSetBack = zones.hasZones ? false : clock.note(timeline, line: row.line)
        if let durations { timeline.fill(Self.drawn(durations, for: row.line)) }
        switch timeline.cleaned(longestRide: trace.longestRide) {
        case .leftOut(.dropoffNotAfterPickup) where isSetBack:
            leftOutByClock.add(row.line)
        case .leftOut(let reason):
            leftOut[reason.index].add(row.line)
        case .ride(let ride, let repairs):
            for repair in repairs { repaired[repair.index].add(row.line) }
            let request =
                trace.foldOntoOneDay ? CivilTime.timeOfDay(ride.requested + timeline.offset) : ride.requested
            found.append(
                TracedRide(
                    request: Instant(microseconds: request),
                    stages: ride.stages,
                    isCancelled: ride.isCancelled
                )
            )
        }
        return nil
    }

    /// The durations of a row, the same in each reading: they belong to the trace, not to a replication.
    private static func drawn(_ durations: [Sampler], for line: Int) -> [TimeSpan] {
        let source = RandomSource(seed: 0, replication: 0)
        return durations.enumerated()
            .map { stage, sampler in
                let draw = source.draw(entity: UInt64(line), purpose: 0, index: UInt32(stage))
                return TimeSpan(microseconds: sampler.value(for: draw))
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
    func cleaning(header: [String]) -> TraceCleaning {
        var cleaning = TraceCleaning()
        cleaning.read = read
        cleaning.kept = found.count
        cleaning.otherProvider = otherProvider
        cleaning.repaired = Self.counts(RideTimeline.Repair.allCases.map(\.rawValue), repaired)
        cleaning.leftOut = omissions
        if durations != nil {
            let moments = columns.missingMoments.joined(separator: ", ")
            cleaning.remarks.append(
                "The trace has no column for \(moments): these moments are drawn from the durations of the scenario's stages."
            )
        }
        cleaning.remarks += unusedTimes.prefix(8)
            .map { field in
                "Column \(OneLine.excerpt(header[field])) has times and is not used; rides.trace.columns can name it."
            }
        if !zones.hasZones { cleaning.remarks += clock.remarks }
        return cleaning
    }

    /// Reports to the table if some times have a zone and others have none, or if no ride was found.
    mutating func check(_ table: inout CSVTable) {
        zones.check(&table)
        if let emptiness { table.reportInHeader(field: columns.provider ?? 0, emptiness) }
    }

    /// Why no ride was found; nil where one was.
    private var emptiness: String? {
        guard found.isEmpty else { return nil }
        if read == 0 { return "the trace has a header but no rows" }
        var reasons = omissions.map(described)
        if otherProvider > 0 {
            let names = CSVTable.list(otherProviders.map { String(decoding: $0, as: UTF8.self) })
            let rows = otherProvider == 1 ? "1 row" : "\(otherProvider) rows"
            reasons.insert("\(rows) not of \"\(trace.provider)\" but of \(names)", at: 0)
        }
        return "none of the \(read) rows gives a ride: \(reasons.joined(separator: ", "))"
    }

    /// Why rows were left out.
    private var omissions: [TraceCleaning.Count] {
        let names = RideTimeline.Omission.allCases.map { reason in
            reason == .noCancellation && !columns.has(.cancelled)
                ? TraceCleaning.cancelledWithoutColumn : reason.rawValue
        }
        return Self.counts(names + [TraceCleaning.clockChange], leftOut + [leftOutByClock])
    }

    private func described(_ count: TraceCleaning.Count) -> String {
        let text = count.words
        guard count.reason == RideTimeline.Omission.unparsableTime.rawValue, let firstUnparsable else { return text }
        return "\(text) (first \"\(firstUnparsable)\" in line \(count.firstLine); allowed: \(Moment.allowed))"
    }

    private mutating func remember(_ provider: ArraySlice<UInt8>) {
        guard otherProviders.count < Self.rememberedProviders else { return }
        if !otherProviders.contains(where: { $0.elementsEqual(provider) }) { otherProviders.append(Array(provider)) }
    }

    private static func counts(_ reasons: [String], _ tallies: [Tally]) -> [TraceCleaning.Count] {
        zip(reasons, tallies).filter { $0.1.rows > 0 }
            .map { TraceCleaning.Count(reason: $0.0, rows: $0.1.rows, firstLine: $0.1.firstLine) }
    }
}

extension CaseIterable where Self: Equatable, AllCases: RandomAccessCollection, AllCases.Index == Int {
    /// The case's place among all cases.
    fileprivate var index: Int {
        Self.allCases.firstIndex(of: self) ?? Self.allCases.endIndex
    }
}
