public import InputFiles
public import LiveActivityModel
import SimulationKernel
import TextFormats

/// A push of an event log, as a replay sends it.
public struct LogPush: Hashable, Sendable {
    /// The time since the log's first push [µs].
    public let at: Int64
    /// The ride, by a hash of its name.
    public let ride: UInt64
    public let kind: StoryLine.PushKind
    /// `apns-priority`; 10 if the log has none.
    public let priority: Int
    /// The size of its payload [bytes]; nil if the log does not state it.
    public let payloadBytes: Int?
}

/// Reads the pushes of an event log in the order of their times, in bounded memory.
///
/// Each request is a push of its own, also another attempt. A row that equals another row of the same instant counts once. A
/// row more than half a minute late has lost its place (``EventLogReader``); its push gets the time of the push before, or that
/// of the first push with its place if none was before.
public final class LogPushReader {
    private let reader: EventLogReader
    private var last: Int64 = 0
    /// The pushes of the last instant, by which repeated rows are found.
    private var instant: Set<Push> = []
    private var hash = Fingerprint()
    private var kinds = [Int](repeating: 0, count: StoryLine.PushKind.allCases.count)
    private var lateCount = 0
    private var haveWholeSeconds = true
    private let end: Int64
    /// The first pushes in descending order of time, each with the number of other events before it since the last push.
    private var ahead: [(event: LogEvent, others: Int)] = []
    /// The number of pushes at the beginning whose clock was slow.
    private var slowCount = 0
    private var isReadAhead = false
    /// The number of other events since the last push that was read, and before the last push that was returned.
    private var (othersSince, others) = (0, 0)
    /// `true` once a push at or after the end was found.
    public private(set) var isCut = false
    /// The time of the first push on the log's axis [µs]; nil before it is read.
    public private(set) var origin: Int64?
    /// The number of pushes so far.
    public private(set) var count = 0
    /// The number of pushes so far whose payload has no size in the log.
    public private(set) var withoutSize = 0

    /// The number of pushes of one instant among which repeated rows are found.
    private static let mostAtOnce = 200_000
    /// The number of pushes among which those with a slow clock at the beginning are found.
    private static let mostAhead = 1000

    private struct Push: Hashable {
        let ride: UInt64
        let push: UInt64
        let fields: UInt64
    }

    /// Opens the files of a log.
    ///
    /// - Parameter end: The time since the first push from which on no push is read [µs].
    /// - Throws: ``DataFileError`` for a file that cannot be read, or without a column that an event needs.
    public init(
        files: [String],
        mapping: LogMapping = LogMapping(),
        before end: Int64 = .max,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) {
        self.end = end
        reader = try EventLogReader(files: files, mapping: mapping, notify: notify)
    }

    /// Returns the next push; nil at the end of the log.
    public func next() throws(DataFileError) -> LogPush? {
        try readAhead()
        while !isCut, let (event, before) = try nextAhead() {
            let isSlow = slowCount > 0
            if isSlow { slowCount -= 1 }
            let origin = self.origin ?? event.at
            if !isSlow { self.origin = origin }
            guard isSlow || event.at - origin < end else {
                isCut = true
                return nil
            }
            others += before
            if isSlow || event.at - origin < last {
                lateCount += 1
            } else if event.at - origin > last {
                instant.removeAll(keepingCapacity: true)
                last = event.at - origin
            }
            let name = Push(ride: event.ride, push: event.push, fields: event.fields)
            guard instant.count >= Self.mostAtOnce || instant.insert(name).inserted else {
                reader.cleaning.note(
                    event.fields == 0 ? .duplicate : .duplicateWithoutID,
                    file: event.file,
                    line: event.line
                )
                continue
            }
            if event.at % 1_000_000 != 0 { haveWholeSeconds = false }
            let push = LogPush(
                at: last,
                ride: event.ride,
                kind: event.pushKind,
                priority: event.priority,
                payloadBytes: event.payloadBytes > 0 ? event.payloadBytes : nil
            )
            note(push)
            return push
        }
        if !isCut { (others, othersSince) = (others + othersSince, 0) }
        return nil
    }

    /// Returns the next push, which may have been read ahead; nil at the end.
    private func nextAhead() throws(DataFileError) -> (event: LogEvent, others: Int)? {
        if let push = ahead.popLast() { return push }
        return try nextInLog()
    }

    /// Returns the next push in the log, with the number of other rows since the last one; nil at the end.
    private func nextInLog() throws(DataFileError) -> (event: LogEvent, others: Int)? {
        while let event = try reader.next() {
            guard event.kind == .push else {
                if !event.isInRowOfPush { othersSince += 1 }
                continue
            }
            defer { othersSince = 0 }
            return (event, othersSince)
        }
        return nil
    }

    /// Reads the first pushes and finds those at the beginning whose clock was slow.
    ///
    /// They are more than the reader's patience before all others, and come after some of them in the same file. A push before a
    /// pause is not slow, because it comes before the others.
    private func readAhead() throws(DataFileError) {
        guard !isReadAhead else { return }
        isReadAhead = true
        while ahead.count < Self.mostAhead, let push = try nextInLog() { ahead.append(push) }
        let events = ahead.map(\.event)
        ahead.reverse()
        // The first line of each file among the pushes from a number on.
        var lines: [Int: Int] = [:]
        for number in events.indices.dropFirst().reversed() {
            let event = events[number]
            lines[event.file] = min(lines[event.file] ?? .max, event.line)
            guard event.at - events[number - 1].at > EventLogReader.patience else { continue }
            guard events[..<number].allSatisfy({ $0.line > lines[$0.file] ?? .max }) else { continue }
            slowCount = number
            return
        }
    }

    private func note(_ push: LogPush) {
        count += 1
        kinds[Int(push.kind.rawValue)] += 1
        if push.payloadBytes == nil { withoutSize += 1 }
        hash.combine(UInt64(bitPattern: push.at))
        hash.combine(push.ride)
        hash.combine(UInt64(push.kind.rawValue) << 32 | UInt64(UInt32(truncatingIfNeeded: push.priority)))
        hash.combine(UInt64(push.payloadBytes ?? 0))
    }

    /// Throws if too many rows were bad, or if there was no push.
    ///
    /// - Parameter share: The largest share of bad rows.
    public func check(mostBadRows share: Double) throws(DataFileError) {
        try reader.check(mostBadRows: share, fields: [.at, .event, .ride, .push, .kind, .priority, .payload])
        guard count == 0 else { return }
        throw .invalid(
            [
                Diagnostic(
                    file: reader.cleaning.files.first ?? "",
                    message:
                        "the log has no push (event push), so there is nothing to replay; map its events (--mapping)"
                )
            ],
            omitted: 0
        )
    }

    /// A hash of all pushes so far, the same for equal pushes in another file or form.
    public var fingerprint: UInt64 { hash.value }

    /// Sentences about the log and the pushes so far, the most important first.
    public var lines: [String] {
        let nouns = [
            ("update", "updates"), ("attempt to recover", "attempts to recover"), ("end", "ends"), ("start", "starts"),
        ]
        let parts = zip(StoryLine.PushKind.allCases, nouns).map { (kinds[Int($0.rawValue)], $1) }.filter { $0.0 > 0 }
            .map { $0.counted($1.0, $1.1) }
        var lines = reader.cleaning.lines
        lines.append(
            "\(count.counted("push", "pushes")): \(parts.joined(separator: ", ")); "
                + "\(others.counted("other row is", "other rows are")) left out."
        )
        if isCut { lines.append("The replay ends before the log does, so the pushes after that are left out, too.") }
        if lateCount > 0 {
            lines.append(
                "\(lateCount.counted("push is", "pushes are")) in the log more than half a minute after later "
                    + "rows; each is sent with the push before it."
            )
        }
        if haveWholeSeconds, count > 1 {
            lines.append("The log has whole seconds, so all pushes of a second are sent together.")
        }
        return lines
    }
}
