import FreshnessCore
public import InputFiles
import LiveActivityModel
import Quantities
import TextFormats

/// Reads the files of an event log together, in the order of their times, in bounded memory.
public final class EventLogReader {
    /// The findings in the log.
    public internal(set) var cleaning = LogCleaning()
    /// The names of stages; an event has an index.
    public var stages: [String] { cells.stages }
    /// The names of reasons; an event has an index, and 0 is none.
    public var reasons: [String] { cells.reasons }

    /// The times without a row within one of several files in which there should be some.
    private(set) var innerGaps: [FileGap] = []
    private static let mostFileGaps = 10_000
    /// The clock of the times of events.
    public var clock: LogClock { cells.clock }

    private(set) var sources: [Source] = []
    private let mapping: LogMapping
    private var cells: LogCells

    /// Opens the files of a log.
    ///
    /// - Throws: ``DataFileError`` for a file that cannot be read, or without a column that an event needs.
    public init(
        files: [String],
        mapping: LogMapping = LogMapping(),
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) {
        self.mapping = mapping
        cells = LogCells(mapping)
        cleaning.files = files
        for (number, file) in files.enumerated() {
            sources.append(Source(try LogRows(file: file, mapping, notify: notify), number))
        }
        for source in sources { try advance(source) }
        for source in sources {
            guard let known = source.rows.knownFields else { continue }
            let missing = [LogField.at, .event, .ride].filter { !known.contains($0) }
            guard missing.isEmpty else {
                throw .invalid(
                    missing.map {
                        Diagnostic(
                            file: source.rows.file,
                            line: 1,
                            column: 1,
                            message: message(without: $0, source.rows)
                        )
                    },
                    omitted: 0
                )
            }
        }
    }

    /// The problem of a table without a column that an event needs.
    private func message(without field: LogField, _ rows: LogRows) -> String {
        let got = "the log has no column for \(field.rawValue); got \(CSVTable.list(rows.header))"
        if let stated = mapping.columns[field] {
            return "\(got); the mapping names \(CSVTable.list(stated.names)) (\(OneLine.text(mapping.file)))"
        }
        let isNamedJSON = ["json", "ndjson", "jsonl"].contains { rows.file.lowercased().hasSuffix(".\($0)") }
        return "\(got); allowed: \(field.names.joined(separator: ", ")), or any other with a mapping"
            + (isNamedJSON ? "; the file does not begin with {, so it was read as CSV" : "")
    }

    /// Returns the columns of fields that the mapping names and no file has.
    private func missingColumns(of fields: [LogField]) -> [Diagnostic] {
        fields.compactMap { field -> Diagnostic? in
            guard let stated = mapping.columns[field], let place = stated.place, !stated.names.isEmpty,
                !sources.contains(where: { $0.rows.found.contains(field) })
            else { return nil }
            let files = sources.filter { !$0.rows.header.isEmpty }
            let got = files.first.map { "\(OneLine.text($0.rows.file)) has \(CSVTable.list($0.rows.header))" }
            return Diagnostic(
                file: mapping.file,
                place: place,
                message: "columns.\(field.rawValue) names \(CSVTable.list(stated.names)), which no row of the log has"
                    + (got.map { "; \($0)" } ?? "")
            )
        }
    }

    /// Events that wait for rows with earlier times.
    private var waiting = LogEventQueue()
    /// The instant that all files have reached.
    private var frontier = Int64.min
    /// Events more than a day after ``frontier``: their clocks are wrong, unless the next rows agree.
    private var ahead: [LogEvent] = []
    private var firstAhead = Int64.max
    private var lastReturned: Int64?
    private var latestReturned = Int64.min

    /// The largest number of events ahead.
    private static let mostAhead = 10_000
    private static let day: Int64 = 86_400_000_000
    /// The time for which an event waits for rows with earlier times [µs].
    static let patience: Int64 = 30_000_000
    /// The largest number of events that wait.
    private static let mostWaiting = 200_000
    /// The largest number of answers of a file that come after later rows.
    static let mostAnswers = 100_000

    /// Returns the next event; nil at the end of the log.
    ///
    /// Events are in the order of time, as long as no row is more than half a minute late. At one instant a request comes before a
    /// stage, a stage before a push, and a push before its answer. An event whose clock is ahead waits until the log has reached
    /// its time. One more than a day from all others is left out.
    public func next() throws(DataFileError) -> LogEvent? {
        while true {
            while mayBePreceded {
                guard let event = try nextInFiles() else { break }
                if event.at > frontier + Self.day {
                    holdBack(event)
                } else {
                    waiting.add(event)
                }
                if firstAhead <= frontier + Self.day { release() }
            }
            guard let event = waiting.popFirst() else {
                for event in ahead { cleaning.note(.farTime, file: event.file, line: event.line) }
                ahead = []
                return nil
            }
            if event.at < frontier - Self.day, !isNearOthers(event) {
                cleaning.note(.farTime, file: event.file, line: event.line)
                continue
            }
            lastReturned = event.at
            if event.at >= latestReturned {
                latestReturned = event.at
            } else if !event.isInRowOfPush {
                cleaning.note(.late, file: event.file, line: event.line)
            }
            return event
        }
    }

    /// `true` if no event waits, or a row with an earlier time may follow.
    private var mayBePreceded: Bool {
        guard let first = waiting.first else { return true }
        return frontier - first.at < Self.patience && waiting.count < Self.mostWaiting
    }

    private func holdBack(_ event: LogEvent) {
        guard ahead.count < Self.mostAhead else {
            cleaning.note(.farTime, file: event.file, line: event.line)
            return
        }
        ahead.append(event)
        firstAhead = min(firstAhead, event.at)
    }

    /// Lets events that are no longer far ahead wait with the others.
    private func release() {
        let limit = frontier + Self.day
        for event in ahead where event.at <= limit { waiting.add(event) }
        ahead.removeAll { $0.at <= limit }
        firstAhead = ahead.map(\.at).min() ?? .max
    }

    /// Returns `true` if an event from before a long pause of the log is near the events before it.
    private func isNearOthers(_ event: LogEvent) -> Bool {
        if let lastReturned { return abs(event.at - lastReturned) <= Self.day }
        return waiting.first.map { $0.at - event.at <= Self.day } ?? false
    }

    /// Returns the next event of the file that is furthest behind.
    ///
    /// Files are compared by their clocks. A single row with a wrong clock would hold up its file, and the rows of the others
    /// would come too early.
    private func nextInFiles() throws(DataFileError) -> LogEvent? {
        var first: Source?
        for source in sources where source.next != nil {
            if let known = first, (known.clock, known.next?.at ?? 0) <= (source.clock, source.next?.at ?? 0) {
                continue
            }
            first = source
        }
        guard let first, let event = first.next else { return nil }
        frontier = max(frontier, first.clock)
        try advance(first)
        return event
    }

    /// Throws if too many rows were bad, or too late for their place.
    ///
    /// - Parameters:
    ///   - share: The largest share of either.
    ///   - fields: The fields whose columns the log must have if the mapping names them.
    public func check(mostBadRows share: Double, fields: [LogField] = LogField.allCases) throws(DataFileError) {
        guard cleaning.rows > 0 else {
            throw .invalid(
                [Diagnostic(file: cleaning.files.first ?? "", line: 1, column: 1, message: "the log has no rows")],
                omitted: 0
            )
        }
        let missing = missingColumns(of: fields)
        guard missing.isEmpty else { throw .invalid(missing, omitted: 0) }
        if let late = cleaning.problem(lateAbove: share) { throw .invalid([late], omitted: 0) }
        guard cleaning.used == 0 || Double(cleaning.bad) > share * Double(cleaning.rows) else { return }
        throw .invalid(cleaning.problems(most: share), omitted: 0)
    }

    /// Throws if the times of most pushes cannot be right, because columns are swapped or a unit is wrong.
    ///
    /// - Parameter latency: The median latency of answers that APNs accepted [µs]; nil without any.
    public func checkTimes(latency: Int64?) throws(DataFileError) {
        let (swapped, distant) = (cleaning.count(.staleFirst), cleaning.count(.distantContent))
        if 2 * distant > cleaning.contentPushes {
            try refuse(
                .at,
                .distantContent,
                "\(distant) of \(cleaning.contentPushes) pushes were sent more than a day from the time at which their content was generated; "
                    + "the unit of at or generated may be wrong"
            )
        }
        if 2 * swapped > cleaning.datedPushes {
            try refuse(
                .stale,
                .staleFirst,
                "\(swapped) of \(cleaning.datedPushes) pushes have a stale date before the time at which their content was generated; "
                    + "generated and stale may be swapped"
            )
        }
        if let latency, latency > Self.longestUsualLatency {
            try refuse(
                .latency,
                .lateAnswer,
                "half of the accepted pushes were answered after more than \(DurationText.text(TimeSpan(microseconds: latency))); allowed: "
                    + "\(DurationText.text(TimeSpan(microseconds: Self.longestUsualLatency))); the unit of latency may be wrong"
            )
        }
    }

    /// The largest median latency of answers that a log may have [µs]: no sender waits for as long.
    private static let longestUsualLatency: Int64 = 30_000_000

    /// Throws an error at a column of the mapping, or at the first row with a finding.
    private func refuse(
        _ field: LogField,
        _ finding: LogCleaning.Finding,
        _ message: String
    ) throws(DataFileError) {
        if let place = mapping.columns[field]?.place {
            throw .invalid([Diagnostic(file: mapping.file, place: place, message: message)], omitted: 0)
        }
        throw .invalid([cleaning.diagnostic(of: finding, message)], omitted: 0)
    }

    private func advance(_ source: Source) throws(DataFileError) {
        while true {
            if let row = source.pendingRow {
                // Answers of earlier rows that came before this row go first.
                if let answer = source.answers.popFirst(before: row.at) {
                    source.next = answer
                } else {
                    source.pendingRow = nil
                    source.next = row
                }
                return
            }
            switch try source.rows.advance() {
            case .end:
                source.next = source.answers.popFirst(before: .max)
                return
            case .broken(let reason):
                cleaning.rows += 1
                cleaning.note(.broken, file: source.number, line: source.rows.line, reason)
            case .row:
                cleaning.rows += 1
                source.pendingRow = read(source)
            }
        }
    }

    // MARK: - One row

    private func read(_ source: Source) -> LogEvent? {
        let rows = source.rows
        func note(_ finding: LogCleaning.Finding, _ cell: ArraySlice<UInt8>?) {
            cleaning.note(
                finding,
                file: source.number,
                line: rows.line,
                cell.map { String(decoding: $0, as: UTF8.self) } ?? ""
            )
        }
        let word = rows.cell(.event)
        let kind: LogEvent.Kind
        var isCancelled = false
        switch cells.event(word) {
        case .ignored:
            cleaning.note(.ignored)
            return nil
        case .unknown:
            cleaning.note(
                .unknownEvent,
                file: source.number,
                line: rows.line,
                word.map { String(decoding: $0, as: UTF8.self) } ?? "the row has none"
            )
            return nil
        case .kind(let found, let cancelled): (kind, isCancelled) = (found, cancelled)
        }
        guard let at = rows.cell(.at).flatMap({ cells.time($0, rows.units[LogField.at.index]) }) else {
            note(.noTime, rows.cell(.at))
            return nil
        }
        guard let ride = rows.cell(.ride) else {
            note(.noRide, nil)
            return nil
        }
        var event = LogEvent(kind, at: at, ride: PlainBytes.hash(ride))
        (event.file, event.line) = (source.number, rows.line)
        if let push = rows.cell(.push) {
            event.push = PlainBytes.hash(push)
        } else if kind == .push || kind == .answer {
            event.fields = fields(of: rows)
        }
        switch kind {
        case .stage:
            guard let cell = rows.cell(.stage), let stage = cells.stage(cell) else {
                note(.noStage, rows.cell(.stage))
                return nil
            }
            event.stage = stage
        case .rideEnded:
            event.isCancelled = isCancelled
            if let cell = rows.cell(.outcome) {
                if let cancelled = cells.isCancellation(cell) {
                    event.isCancelled = isCancelled || cancelled
                } else {
                    note(.unknownOutcome, cell)
                }
            }
        case .push:
            if let cell = rows.cell(.kind) {
                if let kind = cells.pushKind(cell) {
                    event.pushKind = kind
                } else {
                    note(.unknownKind, cell)
                }
            }
            if let cell = rows.cell(.priority) {
                switch PlainBytes.integer(cell) {
                case .some(1), .some(5), .some(10): event.priority = PlainBytes.integer(cell).map { Int($0) } ?? 10
                default: note(.unknownPriority, cell)
                }
            }
            if let attempt = rows.cell(.attempt).flatMap(PlainBytes.integer) {
                (event.attempt, event.hasAttempt) = (Int(clamping: attempt), true)
            } else if event.kind == .push {
                note(.noAttempt, nil)
            }
            if let size = rows.cell(.payload).flatMap(PlainBytes.integer), size > 0 {
                event.payloadBytes = Int(clamping: size)
            }
            if let time = rows.cell(.generated).flatMap({ cells.time($0, rows.units[LogField.generated.index]) }) {
                event.generatedAt = time
                cleaning.contentPushes += 1
                if abs(event.at - time) > Self.day { note(.distantContent, rows.cell(.generated)) }
            }
            event.staleDate = staleDate(in: rows)
            if event.generatedAt != LogEvent.none, event.staleDate != LogEvent.none {
                cleaning.datedPushes += 1
                if event.staleDate < event.generatedAt { note(.staleFirst, rows.cell(.stale)) }
            }
            answer(of: event, in: source)
        case .activityStarted: event.staleDate = staleDate(in: rows)
        case .answer:
            let cell = rows.cell(.status)
            // An empty cell is the lack of an answer only in a log that has statuses.
            guard let status = cell.map({ cells.status($0) }) ?? (rows.found.contains(.status) ? 0 : nil) else {
                cleaning.note(
                    .unknownStatus,
                    file: source.number,
                    line: rows.line,
                    cell.map { String(decoding: $0, as: UTF8.self) } ?? "the log has no column for status"
                )
                return nil
            }
            event.status = status
            if status != 200 { event.reason = rows.cell(.reason).map { cells.reason($0) } ?? 0 }
        default: break
        }
        if at < source.last {
            note(.backwards, rows.cell(.at))
            cleaning.longestStepBack = max(cleaning.longestStepBack, source.last - at)
        }
        source.last = at
        if let gap = source.note(at), sources.count > 1, innerGaps.count < Self.mostFileGaps {
            // The median of nine times follows a gap with the fifth row after it.
            innerGaps.append(FileGap(file: source.number, line: max(1, rows.line - 4), time: gap))
        }
        return event
    }

    private func staleDate(in rows: LogRows) -> Int64 {
        rows.cell(.stale).flatMap { cells.time($0, rows.units[LogField.stale.index]) } ?? LogEvent.none
    }

    /// Returns a hash of all fields of a row.
    private func fields(of rows: LogRows) -> UInt64 {
        var hash: UInt64 = 1
        for field in LogField.allCases {
            hash = (hash << 7 | hash >> 57) ^ (rows.cell(field).map(PlainBytes.hash) ?? 0)
        }
        return max(1, hash)
    }

    /// Adds the answer that is in the row of its push.
    private func answer(of push: LogEvent, in source: Source) {
        let rows = source.rows
        guard let cell = rows.cell(.status) else { return }
        guard let status = cells.status(cell) else {
            cleaning.note(.unknownStatus, file: source.number, line: rows.line, String(decoding: cell, as: UTF8.self))
            return
        }
        let unit = rows.units[LogField.latency.index] ?? .milliseconds
        let latency = rows.cell(.latency).flatMap { unit.baseUnits(of: $0) }
        var answer = push
        answer.kind = .answer
        answer.isInRowOfPush = true
        answer.at = push.at + min(max(latency ?? 0, -Self.day), Self.day)
        answer.hasLatency = latency != nil
        if latency == nil { cleaning.note(.noLatency, file: source.number, line: rows.line) }
        answer.status = status
        if status != 200 { answer.reason = rows.cell(.reason).map { cells.reason($0) } ?? 0 }
        if answer.push == 0 { answer.push = push.ride ^ UInt64(bitPattern: push.at) }
        guard source.answers.count < Self.mostAnswers else {
            cleaning.note(.lateAnswer, file: source.number, line: rows.line)
            return
        }
        source.answers.add(answer)
    }
}
