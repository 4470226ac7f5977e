package import InputFiles
package import LiveActivityModel
import Quantities
import TextFormats

/// Recorded estimates of arrival, read from a CSV file, or from a Parquet file of the same columns.
///
/// A row is one estimate: `ride`, `time` and either `eta` or `arrival`. Times count from the request of the ride or, if there
/// is a column `stage`, from the beginning of that stage. They are in seconds unless the column's name ends in a unit, as in
/// `eta_min`, or a cell has one. The rows of a ride may come in any order; of two with the same time, the later one holds.
public struct EstimateFile: Hashable, Sendable {
    /// The file and how it is read; files with the same key are equal.
    package struct Key: Hashable, Sendable {
        package let path: String
        package let columns: Scenario.ETAColumns
        /// The names of the scenario's stages.
        package let stages: [String]

        /// Creates a key.
        package init(path: String, columns: Scenario.ETAColumns, stages: [String]) {
            (self.path, self.columns, self.stages) = (path, columns, stages)
        }
    }

    /// The largest number of estimates, which fill 160 MB.
    private static let mostEstimates = 10_000_000

    /// The file.
    package let key: Key
    /// The estimates of its rides, in the order in which they first occur.
    package let series: ETASeries
    /// The numbers of the rides by name, from 1.
    private let numbers: [String: UInt32]

    /// One row.
    private struct Row {
        let ride: UInt32
        let stage: Int
        let estimate: ETASeries.Estimate
    }

    /// Reads a file.
    package init(_ key: Key, notify: (String) -> Void) throws(DataFileError) {
        let names = key.columns.mapped.filter { !$0.isEmpty } + Columns.known
        try self.init(CSVReader(path: key.path, columns: names, notify: notify), key)
    }

    /// Reads an open file.
    package init(_ reader: consuming CSVReader, _ key: Key) throws(DataFileError) {
        var table = try CSVTable(reader, areNumbered: key.columns.mapped.contains(where: \.isDigits))
        let columns = Columns(key.columns, in: &table)
        var numbers: [String: UInt32] = [:]
        var rows: [Row] = []
        while try table.advance() {
            guard let columns else { continue }
            let ride = String(decoding: TextCell.trimmed(table.row[columns.ride]), as: UTF8.self)
            if ride.isEmpty { table.refuseInRow(field: columns.ride, "the name of a ride", allowed: "any text") }
            let stage = columns.stage.map { Self.stage(in: $0, of: key.stages, &table) } ?? 0
            guard let at = columns.time.span(in: &table), let value = columns.value.span(in: &table),
                let stage, !ride.isEmpty
            else { continue }
            guard rows.count < Self.mostEstimates else {
                table.reportInRow(field: 0, "the file has more than \(Self.mostEstimates) estimates")
                break
            }
            let number = numbers[ride] ?? UInt32(numbers.count + 1)
            numbers[ride] = number
            let arrival = columns.isArrival ? value : at + value
            rows.append(Row(ride: number, stage: stage, estimate: .init(at: at, arrival: arrival)))
        }
        try table.throwIfInvalid()
        if rows.isEmpty { table.reportInHeader(field: 0, "the file has a header but no estimates") }
        try table.throwIfInvalid()
        self.key = key
        self.numbers = numbers
        series = Self.series(rows, rideCount: numbers.count, stageCount: columns?.stage == nil ? 0 : key.stages.count)
    }

    /// The number of a ride, from 1; 0 if the file has no estimates of it.
    func number(ofRide name: String) -> UInt32 { numbers[name] ?? 0 }

    /// Returns the index of the stage that a cell names; nil after reporting an unknown one.
    private static func stage(in field: Int, of names: [String], _ table: inout CSVTable) -> Int? {
        let name = String(decoding: TextCell.trimmed(table.row[field]), as: UTF8.self)
        let stage = names.firstIndex(of: name)
        if stage == nil {
            table.refuseInRow(field: field, "a stage of rides.stages", allowed: names.joined(separator: ", "))
        }
        return stage
    }

    private static func series(_ rows: [Row], rideCount: Int, stageCount: Int) -> ETASeries {
        // Swift's sort is stable, but does not guarantee it.
        let order = rows.indices.sorted {
            let (left, right) = (rows[$0], rows[$1])
            return (left.ride, left.stage, left.estimate.at, $0) < (right.ride, right.stage, right.estimate.at, $1)
        }
        var series = ETASeries(stageCount: stageCount)
        var rest = order[...]
        for ride in 1...UInt32(rideCount) {
            for stage in 0..<max(stageCount, 1) {
                let part = rest.prefix { rows[$0].ride == ride && rows[$0].stage == stage }
                rest = rest.dropFirst(part.count)
                series.addPart(part.map { rows[$0].estimate })
            }
        }
        return series
    }

    /// The indices of the columns.
    private struct Columns {
        /// The known names.
        static let known = ["ride", "stage", "time", "eta", "arrival"]

        let ride: Int
        let stage: Int?
        let time: Spans
        /// The time to arrival, or the arrival.
        let value: Spans
        let isArrival: Bool

        /// A column of times.
        struct Spans {
            let field: Int
            let unit: EmpiricalColumn.Unit

            /// Returns the time in the current row; nil after reporting a cell without one.
            func span(in table: inout CSVTable) -> TimeSpan? {
                let value = unit.baseUnits(of: table.number(field))
                if value == nil { table.refuseInRow(field: field, "a time", allowed: unit.allowed) }
                return value.map { TimeSpan(microseconds: $0) }
            }
        }

        /// Finds the columns; nil after reporting the missing ones.
        init?(_ names: Scenario.ETAColumns, in table: inout CSVTable) {
            func mapped(_ name: String, _ key: String) -> Int? {
                name.isEmpty
                    ? table.optionalColumn(key)
                    : table.column(name, besides: Self.known, statedBy: "content.eta.columns.\(key)")
            }
            func spans(_ name: String, _ key: String) -> Spans? {
                let header = table.columnNames
                let field = mapped(name, key) ?? (name.isEmpty ? header.firstIndex { $0.isWithUnit(key) != nil } : nil)
                return field.map {
                    Spans(field: $0, unit: (header.indices.contains($0) ? header[$0].unit : nil) ?? .seconds)
                }
            }
            func reportMissing(_ key: String) {
                table.reportMissing(key, besides: Self.known, hint: "; content.eta.columns.\(key) can map another")
            }
            let ride = mapped(names.ride, "ride")
            if ride == nil, names.ride.isEmpty { reportMissing("ride") }
            stage = mapped(names.stage, "stage")
            let time = spans(names.time, "time")
            if time == nil, names.time.isEmpty { reportMissing("time") }
            let eta = spans(names.eta, "eta")
            let arrival = spans(names.arrival, "arrival")
            if eta == nil, arrival == nil, names.eta.isEmpty, names.arrival.isEmpty { reportMissing("eta") }
            if eta != nil, let arrival {
                table.reportInHeader(
                    field: arrival.field,
                    "the file has columns of times to arrival and of arrivals; leave one of them out, or map it"
                )
            }
            guard let ride, let time, let value = eta ?? arrival else { return nil }
            (self.ride, self.time, self.value) = (ride, time, value)
            isArrival = eta == nil
        }
    }
}

extension Scenario.ETAColumns {
    /// The file's names of all columns; empty for known names.
    fileprivate var mapped: [String] { [ride, stage, time, eta, arrival] }
}
