import FreshnessCore
import InputFiles
import LiveActivityModel
import TextFormats

/// The values in the cells of a log's rows, by the words of a mapping.
///
/// Nearly all rows use a few words, so the meaning of each word is remembered by its hash.
struct LogCells {
    /// The names of stages in the order in which they were found.
    private(set) var stages: [String] = []
    /// The names of reasons; the first is none.
    private(set) var reasons: [String] = [""] + APNsReason.allCases.map(\.rawValue)

    private let mapping: LogMapping
    private var stageIndices: [UInt64: Int] = [:]
    private var reasonIndices: [UInt64: Int] = [:]
    private var eventWords: [UInt64: Event] = [:]
    private var kindWords: [UInt64: StoryLine.PushKind?] = [:]
    private var statusWords: [UInt64: Int] = [:]
    /// The clock of the axis, with the offset that is added to times with an offset.
    private(set) var clock: LogClock

    /// The meaning of the word for an event.
    enum Event {
        case kind(LogEvent.Kind, isCancelled: Bool)
        case ignored
        case unknown
    }

    /// The number of words of each kind that are remembered.
    private static let mostWords = 10_000
    /// The largest number of stages.
    static let mostStages = 64

    init(_ mapping: LogMapping) {
        self.mapping = mapping
        clock = LogClock(zone: mapping.clock)
    }

    /// Returns a time on the log's axis [µs].
    mutating func time(_ cell: ArraySlice<UInt8>, _ unit: EmpiricalColumn.Unit?) -> Int64? {
        instant(cell, unit).flatMap { abs($0) <= Self.lastTime ? $0 : nil }
    }

    /// The last time that a log can have, in the year 5138 [µs]; sums of a few such times do not overflow.
    private static let lastTime: Int64 = 100_000_000_000_000_000

    private mutating func instant(_ cell: ArraySlice<UInt8>, _ unit: EmpiricalColumn.Unit?) -> Int64? {
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
        guard moment.offset == nil else { return zoned(moment.microseconds) }
        // A local time is on the axis of times of day already.
        clock.hasLocalTimes = true
        return moment.microseconds
    }

    /// Moves a time since 1970 to the mapping's clock, so that times of day are local.
    private mutating func zoned(_ time: Int64) -> Int64 {
        // Numbers below are times since the start of the log.
        guard time > 1_000_000_000_000_000 else { return time }
        if let offset = clock.offset { return time + offset }
        let offset = clock.zone?.offset(at: time) ?? 0
        clock.offset = offset
        return time + offset
    }

    /// Returns the meaning of the word for an event.
    mutating func event(_ cell: ArraySlice<UInt8>?) -> Event {
        guard let cell else { return .unknown }
        let hash = PlainBytes.hash(cell)
        if let known = eventWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        var word = Event.unknown
        if let stated = mapping.events[text] {
            word = stated.map { .kind($0, isCancelled: text.contains("cancel")) } ?? .ignored
        } else if let kind = LogEvent.Kind.words[text.filter { $0.isLetter || $0.isNumber }] {
            word = .kind(kind, isCancelled: text.contains("cancel"))
        }
        if eventWords.count < Self.mostWords { eventWords[hash] = word }
        return word
    }

    /// Returns the index of a stage; nil if there are too many.
    mutating func stage(_ cell: ArraySlice<UInt8>) -> Int? {
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
    func isCancellation(_ cell: ArraySlice<UInt8>) -> Bool? {
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        return mapping.outcomes[text] ?? RideStatus(cell).map { $0 == .cancelled }
    }

    /// Returns the kind in a cell; nil if it is unknown.
    mutating func pushKind(_ cell: ArraySlice<UInt8>) -> StoryLine.PushKind? {
        let hash = PlainBytes.hash(cell)
        if let known = kindWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self).lowercased()
        let kind = mapping.kinds[text] ?? StoryLine.PushKind.allCases.first { $0.word == text }
        if kindWords.count < Self.mostWords { kindWords[hash] = .some(kind) }
        return kind
    }

    /// Returns the status in a cell, 0 for no answer; nil if it states none.
    mutating func status(_ cell: ArraySlice<UInt8>) -> Int? {
        let hash = PlainBytes.hash(cell)
        if let known = statusWords[hash] { return known }
        let text = String(decoding: cell, as: UTF8.self)
        let status = mapping.statuses[text.lowercased()] ?? SendLogReader.statusOrNone(statedBy: text)
        if let status, statusWords.count < Self.mostWords { statusWords[hash] = status }
        return status
    }

    /// Returns the index of a reason; 0 if there are too many.
    mutating func reason(_ cell: ArraySlice<UInt8>) -> Int {
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
