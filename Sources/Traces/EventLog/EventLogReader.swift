import FreshnessCore
public import InputFiles
import LiveActivityModel
import TextFormats

/// Reads the files of an event log together, in the order of their times, in bounded memory.
public final class EventLogReader {
    /// The findings in the log.
    public internal(set) var cleaning = LogCleaning()
    /// The names of stages; an event has an index.
    public private(set) var stages: [String] = []
    /// The names of reasons; an event has an index, and 0 is none.
    public private(set) var reasons: [String] = [""] + APNsReason.allCases.map(\.rawValue)

    private var sources: [Source] = []
    private let mapping: LogMapping
    private var stageIndices: [UInt64: Int] = [:]
    private var reasonIndices: [UInt64: Int] = [:]
    private var eventWords: [UInt64: Word] = [:]
    private var kindWords: [UInt64: StoryLine.PushKind?] = [:]
    private var statusWords: [UInt64: Int] = [:]
    /// The offset of the mapping's clock at the first time [µs]; added to times with an offset.
    private var shift: Int64?

    /// The meaning of a word for an event.
    private enum Word {
        case kind(LogEvent.Kind, isCancelled: Bool)
        case ignored
        case unknown
    }

    /// A file with its next events.
    private final class Source {
        let rows: LogRows
        let number: Int
        var next: LogEvent?
        /// The answers in the rows of pushes.
        var answers = LogAnswerQueue()
        /// The event of the last row, which waits for answers before it.
        var pendingRow: LogEvent?
        /// The time of the last row.
        var last = Int64.min
        /// The times of the last rows in ascending order, and in the order of the rows from ``oldest`` on.
        private var ascending: [Int64] = []
        private var recent: [Int64] = []
        private var oldest = 0

        init(_ rows: LogRows, _ number: Int) {
            self.rows = rows
            self.number = number
        }

        /// The median time of the last nine rows: where the file is in time, although the clock of a row may be wrong.
        var clock: Int64 { ascending.isEmpty ? .min : ascending[(ascending.count - 1) / 2] }

        /// Notes the time of a row.
        func note(_ at: Int64) {
            if recent.count < 9 {
                recent.append(at)
            } else {
                if let place = ascending.firstIndex(of: recent[oldest]) { ascending.remove(at: place) }
                recent[oldest] = at
                oldest = (oldest + 1) % 9
            }
            let place = ascending.lastIndex { $0 <= at }.map { $0 + 1 } ?? 0
            ascending.insert(at, at: place)
        }
    }

    /// The number of words of each kind that are remembered.
    private static let mostWords = 10_000
    /// The largest number of stages.
    static let mostStages = 64

    /// Opens the files of a log.
    ///
    /// - Throws: ``DataFileError`` for a file that cannot be read, or without a column that an event needs.
    public init(
        files: [String],
        mapping: LogMapping = LogMapping(),
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) {
        self.mapping = mapping
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

    /// The columns that the mapping names and no file has.
    private var missingColumns: [Diagnostic] {
        LogField.allCases.compactMap { field -> Diagnostic? in
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

    /// Events that wait for earlier ones, in the order of time from ``head`` on.
    private var waiting: [LogEvent] = []
    private var head = 0
    /// The instant that all files have reached.
    private var frontier = Int64.min
    /// Events more than a day after ``frontier``: their clocks are wrong, unless the next rows agree.
    private var ahead: [LogEvent] = []
    private var firstAhead = Int64.max
    private var lastReturned: Int64?

    /// The largest number of events ahead.
    private static let mostAhead = 10_000
    private static let day: Int64 = 86_400_000_000
    /// The time for which an event waits for rows with earlier times [µs].
    private static let patience: Int64 = 30_000_000
    /// The largest number of events that wait.
    private static let mostWaiting = 200_000

    /// Returns the next event; nil at the end of the log.
    ///
    /// Events are in the order of time, as long as no row is more than half a minute late. At one instant a request comes before a
    /// stage, a stage before a push, and a push before its answer. An event whose clock is ahead waits until the log has reached
    /// its time. One more than a day from all others is left out.
    public func next() throws(DataFileError) -> LogEvent? {
        while true {
            while head == waiting.count
                || frontier - waiting[head].at < Self.patience && waiting.count - head < Self.mostWaiting
            {
                guard let event = try nextInFiles() else { break }
                if event.at > frontier + Self.day {
                    holdBack(event)
                } else {
                    wait(event)
                }
                if firstAhead <= frontier + Self.day { release() }
            }
            guard head < waiting.count else {
                for event in ahead { cleaning.note(.farTime, file: event.file, line: event.line) }
                ahead = []
                return nil
            }
            let event = waiting[head]
            head += 1
            if head > 4096, head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            if event.at < frontier - Self.day, !isNearOthers(event) {
                cleaning.note(.farTime, file: event.file, line: event.line)
                continue
            }
            lastReturned = event.at
            return event
        }
    }

    /// Inserts an event in the order of time; nearly all come last.
    private func wait(_ event: LogEvent) {
        var place = waiting.count
        while place > head,
            (event.at, event.kind.rawValue) < (waiting[place - 1].at, waiting[place - 1].kind.rawValue)
        {
            place -= 1
        }
        waiting.insert(event, at: place)
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
        for event in ahead where event.at <= limit { wait(event) }
        ahead.removeAll { $0.at <= limit }
        firstAhead = ahead.map(\.at).min() ?? .max
    }

    /// Returns `true` if an event from before a long pause of the log is near the events before it.
    private func isNearOthers(_ event: LogEvent) -> Bool {
        if let lastReturned { return abs(event.at - lastReturned) <= Self.day }
        return head < waiting.count && waiting[head].at - event.at <= Self.day
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

    /// Throws if too many rows were bad.
    ///
    /// - Parameter share: The largest share of bad rows.
    public func check(mostBadRows share: Double) throws(DataFileError) {
        guard cleaning.rows > 0 else {
            throw .invalid(
                [Diagnostic(file: cleaning.files.first ?? "", line: 1, column: 1, message: "the log has no rows")],
                omitted: 0
            )
        }
        let missing = missingColumns
        guard missing.isEmpty else { throw .invalid(missing, omitted: 0) }
        guard cleaning.used == 0 || Double(cleaning.bad) > share * Double(cleaning.rows) else { return }
        throw .invalid(cleaning.problems(most: share), omitted: 0)
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
        switch self.word(word) {
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
        guard let at = rows.cell(.at).flatMap({ time($0, rows.units[LogField.at.index]) }) else {
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
            guard let cell = rows.cell(.stage), let stage = stage(cell) else {
                note(.noStage, rows.cell(.stage))
                return nil
            }
            event.stage = stage
        case .rideEnded:
            event.isCancelled = isCancelled
            if let cell = rows.cell(.outcome) {
                if let cancelled = isCancellation(cell) {
                    event.isCancelled = isCancelled || cancelled
                } else {
                    note(.unknownOutcome, cell)
                }
            }
        case .push:
            if let cell = rows.cell(.kind) {
                if let kind = pushKind(cell) {
                    event.pushKind = kind
                } else {
                    note(.unknownKind, cell)
                }
            }
            if let priority = rows.cell(.priority).flatMap(PlainBytes.integer) {
                event.priority = Int(clamping: priority)
            }
            if let attempt = rows.cell(.attempt).flatMap(PlainBytes.integer) { event.attempt = Int(clamping: attempt) }
            if let time = rows.cell(.generated).flatMap({ time($0, rows.units[LogField.generated.index]) }) {
                event.generatedAt = time
            }
            if let time = rows.cell(.stale).flatMap({ time($0, rows.units[LogField.stale.index]) }) {
                event.staleDate = time
            }
            answer(of: event, in: source)
        case .answer:
            let cell = rows.cell(.status)
            // An empty cell is the lack of an answer only in a log that has statuses.
            guard let status = cell.map(status) ?? (rows.found.contains(.status) ? 0 : nil) else {
                cleaning.note(
                    .unknownStatus,
                    file: source.number,
                    line: rows.line,
                    cell.map { String(decoding: $0, as: UTF8.self) } ?? "the log has no column for status"
                )
                return nil
            }
            event.status = status
            if status != 200 { event.reason = rows.cell(.reason).map(reason) ?? 0 }
        default: break
        }
        if at < source.last {
            note(.backwards, rows.cell(.at))
            cleaning.longestStepBack = max(cleaning.longestStepBack, source.last - at)
        }
        source.last = at
        source.note(at)
        return event
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
        guard let status = status(cell) else {
            cleaning.note(.unknownStatus, file: source.number, line: rows.line, String(decoding: cell, as: UTF8.self))
            return
        }
        let unit = rows.units[LogField.latency.index] ?? .milliseconds
        let latency = rows.cell(.latency).flatMap { unit.baseUnits(of: $0) }
        var answer = push
        answer.kind = .answer
        answer.at = push.at + min(max(latency ?? 0, -Self.day), Self.day)
        answer.hasLatency = latency != nil
        if latency == nil { cleaning.note(.noLatency, file: source.number, line: rows.line) }
        answer.status = status
        if status != 200 { answer.reason = rows.cell(.reason).map(reason) ?? 0 }
        if answer.push == 0 { answer.push = push.ride ^ UInt64(bitPattern: push.at) }
        if !source.answers.add(answer) { cleaning.note(.lateAnswer, file: source.number, line: rows.line) }
    }

    // MARK: - Cells

    /// Returns a time on the log's axis [µs].
    private func time(_ cell: ArraySlice<UInt8>, _ unit: EmpiricalColumn.Unit?) -> Int64? {
        instant(cell, unit).flatMap { abs($0) <= Self.lastTime ? $0 : nil }
    }

    /// The last time that a log can have, in the year 5138 [µs]; sums of a few such times do not overflow.
    private static let lastTime: Int64 = 100_000_000_000_000_000

    private func instant(_ cell: ArraySlice<UInt8>, _ unit: EmpiricalColumn.Unit?) -> Int64? {
        if let unit, unit != .one {
            if let whole = PlainBytes.integer(cell) {
                if unit == .microseconds { return zoned(whole) }
                if unit == .milliseconds, whole.magnitude < Int64.max / 1000 { return zoned(whole * 1000) }
            }
            if let number = Double(String(decoding: cell, as: UTF8.self)), number.isFinite,
                abs(number * unit.factor) < 9e18
            {
                return zoned(Int64((number * unit.factor).rounded()))
            }
        }
        guard let moment = Moment(cell) else { return nil }
        // A local time is on the axis of times of day already.
        return moment.offset == nil ? moment.microseconds : zoned(moment.microseconds)
    }

    /// Moves a time since 1970 to the mapping's clock, so that times of day are local.
    private func zoned(_ time: Int64) -> Int64 {
        // Numbers below are times since the start of the log.
        guard let clock = mapping.clock, time > 1_000_000_000_000_000 else { return time }
        if shift == nil { shift = clock.offset(at: time) }
        return time + (shift ?? 0)
    }

    private func word(_ cell: ArraySlice<UInt8>?) -> Word {
        guard let cell else { return .unknown }
        let hash = PlainBytes.hash(cell)
        if let known = eventWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        var word = Word.unknown
        if let stated = mapping.events[text] {
            word = stated.map { .kind($0, isCancelled: text.contains("cancel")) } ?? .ignored
        } else if let kind = LogEvent.Kind.words[text.filter { $0.isLetter || $0.isNumber }] {
            word = .kind(kind, isCancelled: text.contains("cancel"))
        }
        if eventWords.count < Self.mostWords { eventWords[hash] = word }
        return word
    }

    private func stage(_ cell: ArraySlice<UInt8>) -> Int? {
        let hash = PlainBytes.hash(cell)
        if let known = stageIndices[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self)
        let name = mapping.stages[text.lowercased()] ?? text
        if let index = stages.firstIndex(of: name) {
            stageIndices[hash] = index
            return index
        }
        guard stages.count < Self.mostStages else { return nil }
        stages.append(name)
        stageIndices[hash] = stages.count - 1
        return stages.count - 1
    }

    /// Returns `true` for the outcome of a cancelled ride; nil for an unknown one.
    private func isCancellation(_ cell: ArraySlice<UInt8>) -> Bool? {
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        return mapping.outcomes[text] ?? RideStatus(cell).map { $0 == .cancelled }
    }

    /// Returns the kind in a cell; nil if it is unknown.
    private func pushKind(_ cell: ArraySlice<UInt8>) -> StoryLine.PushKind? {
        let hash = PlainBytes.hash(cell)
        if let known = kindWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        let kind = mapping.kinds[text] ?? StoryLine.PushKind.allCases.first { $0.word == text }
        if kindWords.count < Self.mostWords { kindWords[hash] = .some(kind) }
        return kind
    }

    /// Returns the status in a cell, 0 for no answer; nil if it states none.
    private func status(_ cell: ArraySlice<UInt8>) -> Int? {
        let hash = PlainBytes.hash(cell)
        if let known = statusWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self)
        let status = mapping.statuses[text.lowercased()] ?? SendLogReader.statusOrNone(statedBy: text)
        if let status, statusWords.count < Self.mostWords { statusWords[hash] = status }
        return status
    }

    private func reason(_ cell: ArraySlice<UInt8>) -> Int {
        let hash = PlainBytes.hash(cell)
        if let known = reasonIndices[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self)
        let name = mapping.reasons[text.lowercased()] ?? APNsReasonName.reason(statedBy: text)
        let index = reasons.firstIndex(of: name)
        guard let index else {
            guard reasons.count < 256 else { return 0 }
            reasons.append(name)
            reasonIndices[hash] = reasons.count - 1
            return reasons.count - 1
        }
        if reasonIndices.count < Self.mostWords { reasonIndices[hash] = index }
        return index
    }
}
