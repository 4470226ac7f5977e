import InputFiles
import LiveActivityModel
import Quantities
import SimulationKernel
import TextFormats

/// Collects the rides of a trace row by row, and counts repaired and omitted rows.
struct RideTraceCollector {
    /// The number of names of other providers that are remembered for a message.
    private static let rememberedProviders = 8

    /// The order of day and month in dates with numbers for both.
    var order: Scenario.DateOrder
    private let trace: Scenario.Trace
    private let columns: RideTraceColumns
    /// The durations of the four stages, for moments without a column in the file; nil if the file has all of them.
    private let durations: [Sampler]?
    /// The columns with times.
    private let times: [Int]
    private let spellings: [[UInt8]]
    /// The recorded estimates of arrival; nil if there are none.
    private let estimates: EstimateFile?
    /// The first request, on the trace's own clock and in local time [µs].
    private var first: (request: Int64, local: Int64)?
    /// The rides found, with requests still on the trace's own clock.
    private var found: [TracedRide] = []
    private var read = 0
    private var otherProvider = 0
    private var otherProviders: [[UInt8]] = []
    private var repaired = [Tally](repeating: Tally(), count: RideTimeline.Repair.allCases.count)
    private var leftOut = [Tally](repeating: Tally(), count: RideTimeline.Omission.allCases.count)
    /// The rides that seem to end before their pickup because the clock was set back.
    private var leftOutByClock = Tally()
    private var firstUnparsable: String?
    private var unusedTimes: [Int] = []
    private var zones = ZoneCheck()
    private var clock: LocalClock

    /// The number of rows of one kind, with the first line.
    private struct Tally {
        var rows = 0
        var firstLine = 0

        mutating func add(_ line: Int) {
            if rows == 0 { firstLine = line }
            rows += 1
        }
    }

    /// Creates a collector for the rides that a trace selects.
    init(
        _ trace: Scenario.Trace,
        _ columns: RideTraceColumns,
        names: [ColumnName],
        durations: [Sampler]?,
        estimates: EstimateFile?
    ) {
        self.estimates = estimates
        self.trace = trace
        self.columns = columns
        times = columns.times
        order = trace.dates ?? .monthFirst
        self.durations = columns.lacksMoments ? durations : nil
        spellings = RideProvider.spellings(of: trace.provider)
        clock = LocalClock(names, zone: trace.timeZone)
    }

    /// Records the order of day and month in the dates of a row.
    ///
    /// - Returns: `true` if one of them has numbers for day and month, in either order.
    func noteDates(of row: borrowing CSVRecord, in dates: inout DateOrderCheck) -> Bool {
        var isFound = false
        for field in times where dates.note(field, in: row) { isFound = true }
        return isFound
    }

    /// Adds one row.
    ///
    /// - Returns: The field of an unknown status; nil if the row was counted.
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
            if ride.requested < first?.request ?? .max { first = (ride.requested, ride.requested + timeline.offset) }
            let request =
                trace.foldOntoOneDay ? CivilTime.timeOfDay(ride.requested + timeline.offset) : ride.requested
            found.append(
                TracedRide(
                    request: Instant(microseconds: request),
                    stages: ride.stages,
                    isCancelled: ride.isCancelled,
                    estimates: columns.ride.flatMap { estimates?.number(ofRide: Self.name(in: row[$0])) } ?? 0
                )
            )
        }
        return nil
    }

    private static func name(in cell: ArraySlice<UInt8>) -> String {
        String(decoding: TextCell.trimmed(cell), as: UTF8.self)
    }

    /// Returns the durations of a row.
    ///
    /// They are the same in each pass, because they belong to the trace and not to a replication.
    private static func drawn(_ durations: [Sampler], for line: Int) -> [TimeSpan] {
        let source = RandomSource(seed: 0, replication: 0)
        return durations.enumerated()
            .map { stage, sampler in
                let draw = source.draw(entity: UInt64(line), purpose: 0, index: UInt32(stage))
                return TimeSpan(microseconds: sampler.value(for: draw))
            }
    }

    /// Returns the rides in the order of their requests, with equal requests in file order.
    func rides() -> [TracedRide] {
        // Swift's sort is stable, but does not guarantee it. Indices have 32 bits because there are millions.
        let order = (0..<UInt32(found.count))
            .sorted { (found[Int($0)].request, $0) < (found[Int($1)].request, $1) }
        let origin = trace.foldOntoOneDay ? .start : (order.first.map { found[Int($0)].request } ?? .start)
        return order.map { index in
            var ride = found[Int(index)]
            ride.request = .start + (ride.request - origin)
            return ride
        }
    }

    /// Returns the counts of kept, repaired and omitted rows, without reasons that no row had.
    func cleaning(header: [String]) -> TraceCleaning {
        var cleaning = TraceCleaning()
        cleaning.read = read
        cleaning.kept = found.count
        cleaning.otherProvider = otherProvider
        cleaning.repaired = Self.counts(RideTimeline.Repair.allCases.map(\.rawValue), repaired)
        cleaning.leftOut = omissions
        cleaning.firstRequest = first?.local
        if durations != nil {
            let moments = columns.missingMoments.joined(separator: ", ")
            cleaning.remarks.append(
                "The trace has no column for \(moments): these moments are drawn from the durations of the scenario's stages."
            )
        }
        cleaning.remarks += unusedTimes.prefix(8)
            .map { field in
                "Column \(OneLine.excerpt(header[field])) has times but is not used; rides.trace.columns can map it."
            }
        if let estimates {
            let without = found.count { $0.estimates == 0 }
            if without > 0 {
                cleaning.remarks.append(
                    "\(without) of the \(found.count) rides have no estimates in \(OneLine.text(estimates.key.path)): the ETA on "
                        + "their cards is not measured."
                )
            }
        }
        if !zones.hasZones { cleaning.remarks += clock.remarks }
        return cleaning
    }

    /// Reports an error if only some times have a zone, or if no ride was found.
    mutating func check(_ table: inout CSVTable) {
        zones.check(&table)
        if let emptiness { table.reportInHeader(field: columns.provider ?? 0, emptiness) }
        if let estimates, let ride = columns.ride, !found.isEmpty, found.allSatisfy({ $0.estimates == 0 }) {
            table.reportInHeader(
                field: ride,
                column: table.header[ride],
                "none of the \(found.count) rides has estimates in \(OneLine.text(estimates.key.path)); the names of rides must "
                    + "be the same in both files"
            )
        }
    }

    /// The reason why no ride was found; nil if there are rides.
    private var emptiness: String? {
        guard found.isEmpty else { return nil }
        if read == 0 { return "the trace has a header but no rows" }
        var reasons = omissions.map(described)
        if otherProvider > 0 {
            let names = CSVTable.list(otherProviders.map { String(decoding: $0, as: UTF8.self) })
            let rows = otherProvider.counted("row", "rows")
            reasons.insert("\(rows) of \(names) instead of \"\(trace.provider)\"", at: 0)
        }
        return "none of the \(read) rows is a usable ride: \(reasons.joined(separator: ", "))"
    }

    /// The reasons why rows were left out, with counts.
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
    /// The index of the case among all cases.
    fileprivate var index: Int {
        Self.allCases.firstIndex(of: self) ?? Self.allCases.endIndex
    }
}
