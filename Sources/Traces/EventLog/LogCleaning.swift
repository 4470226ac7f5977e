import InputFiles
import TextFormats

/// The faulty or unusual rows of a log, with counts and the first place of each kind.
public struct LogCleaning: Sendable {
    /// A kind of finding.
    public enum Finding: String, CaseIterable, Sendable {
        case broken
        case noTime
        case noRide
        case unknownEvent
        case unknownStatus
        case noStage
        case farTime
        case unknownKind
        case unknownPriority
        case unknownOutcome
        case ignored
        case backwards
        case late
        case duplicate
        case duplicateWithoutID
        case noAttempt
        case staleFirst
        case distantContent
        case startFirst
        case answerFirst
        case answerWithoutPush
        case answerUncertain
        case noLatency
        case shownWithoutPush
        case lateAnswer
        case beganBefore
        case withoutRequest
        case openAtEnd
        case gap
        case fileGap

        /// `true` if the row cannot be used.
        public var isBad: Bool {
            switch self {
            case .broken, .noTime, .noRide, .unknownEvent, .unknownStatus, .noStage, .farTime: true
            default: false
            }
        }

        fileprivate func words(_ count: Int) -> String {
            let rows = count.counted("row", "rows")
            let rides = count.counted("ride", "rides")
            return switch self {
            case .broken: "\(rows) cannot be read"
            case .noTime: "\(rows) without a valid time"
            case .noRide: "\(rows) without a ride"
            case .unknownEvent: "\(rows) with an unknown event"
            case .unknownStatus: "\(rows) with an unknown status"
            case .noStage: "\(rows) of a stage without its name, or with a name beyond the 64th"
            case .farTime: "\(rows) more than a day from their neighbours, or two months after the first"
            case .unknownKind: "\(rows) with an unknown kind of push, which count as updates"
            case .unknownPriority: "\(rows) with a priority other than 1, 5 and 10, which counts as 10"
            case .unknownOutcome: "\(rows) with an unknown outcome, which count as completed"
            case .ignored: "\(rows) with events that the mapping ignores"
            case .backwards: "\(rows) with an earlier time than the row before"
            case .late:
                "\(rows) came more than \(EventLogReader.patience / 1_000_000) s late, so they are at wrong places"
            case .duplicate: "\(rows) repeated; each is used once"
            case .duplicateWithoutID:
                "\(rows) of requests or answers without an id that equal an earlier row of the ride in every field; each counts as "
                    + "repeated, although it may be another request"
            case .noAttempt:
                "\(count.counted("push", "pushes")) without the number of the attempt; an update with the content of the update "
                    + "before repeats it, and any other push counts as the first attempt, so if the sender repeats other requests, the "
                    + "attempts of sender and monitor are wrong"
            case .staleFirst:
                "\(count.counted("push", "pushes")) with a stale date before the time at which the content was generated"
            case .distantContent:
                "\(count.counted("push", "pushes")) more than a day from the time at which the content was generated"
            case .startFirst:
                "\(rows) with a start before the request of its ride, as clocks that differ write; the delay counts as 0"
            case .answerFirst:
                "\(rows) with an answer before its push, as clocks that differ write; the latency counts as 0"
            case .answerWithoutPush: "\(rows) with an answer to a push that is not in the log"
            case .answerUncertain:
                "\(rows) with an answer without an id, while several requests of the ride were in flight; each counts for the "
                    + "earliest that it can belong to"
            case .noLatency:
                "\(rows) with an answer without a latency, which count as answered when their push was sent, and in no time to an answer"
            case .shownWithoutPush:
                "\(rows) of what a phone shows without the id of the push, which show neither its latency nor its loss"
            case .lateAnswer:
                "\(rows) with an answer that is left out, because \(EventLogReader.mostAnswers) answers of earlier rows come later than the "
                    + "next row; the unit of the latency may be wrong"
            case .beganBefore: "\(rides) began before the log; only their pushes count"
            case .withoutRequest:
                "\(rides) without a request, hours after the beginning of the log: late rows of rides that were over, or missing rows"
            case .openAtEnd: "\(rides) not over at the end of the log"
            case .gap: "\(count.counted("gap", "gaps")) in which the log has no row at all"
            case .fileGap: "\(count.counted("gap", "gaps")) of one file, in which it has no row at all"
            }
        }
    }

    /// The number of rows.
    public internal(set) var rows = 0
    /// The number of rows that were used.
    public var used: Int { rows - bad }
    /// The number of rows that could not be used.
    public var bad: Int { Finding.allCases.reduce(0) { $0 + ($1.isBad ? counts[$1]?.count ?? 0 : 0) } }
    /// The files of the log.
    public internal(set) var files: [String] = []
    /// The largest step back in time [µs].
    public internal(set) var longestStepBack: Int64 = 0
    /// The longest gap [µs].
    public internal(set) var longestGap: Int64 = 0
    /// The longest gap of one of several files [µs].
    public internal(set) var longestFileGap: Int64 = 0
    /// The number of pushes with a time of their content.
    var contentPushes = 0
    /// The number of pushes with a time of their content and a stale date.
    var datedPushes = 0
    /// The clock of the log's axis; nil before the whole log was read.
    public internal(set) var clock: LogClock?
    /// The change of the zone's clock during the log, in words.
    var clockChange: String?
    private var counts: [Finding: (count: Int, file: Int, line: Int, example: String)] = [:]

    /// Counts a finding.
    mutating func note(_ finding: Finding, file: Int = 0, line: Int = 0, _ example: @autoclosure () -> String = "") {
        if let known = counts[finding] {
            counts[finding] = (known.count + 1, known.file, known.line, known.example)
        } else {
            counts[finding] = (1, file, line, example())
        }
    }

    /// The number of findings of a kind.
    public func count(_ finding: Finding) -> Int { counts[finding]?.count ?? 0 }

    /// Sentences about the log, the most important first.
    public var lines: [String] {
        let names = files.count == 1 ? OneLine.text(files[0]) : "\(files.count) files"
        var lines = ["\(names): \(rows.counted("row", "rows")), \(used) used."]
        if let clockChange { lines.append("\(clockChange).") }
        for finding in Finding.allCases {
            guard let known = counts[finding] else { continue }
            var line = finding.words(known.count)
            if known.line > 0, known.file < files.count {
                line += ", the first in \(OneLine.text(files[known.file])):\(known.line)"
                if !known.example.isEmpty { line += " (\(OneLine.excerpt(known.example)))" }
            }
            if finding == .backwards { line += "; the longest step back is \(Self.span(longestStepBack))" }
            if finding == .gap { line += "; the longest is \(Self.span(longestGap))" }
            if finding == .fileGap { line += "; the longest is \(Self.span(longestFileGap))" }
            lines.append(line + ".")
        }
        return lines
    }

    /// The problems of a log with too many bad rows.
    func problems(most share: Double) -> [Diagnostic] {
        var problems = Finding.allCases.compactMap { finding -> Diagnostic? in
            guard finding.isBad, let known = counts[finding] else { return nil }
            let example = known.example.isEmpty ? "" : ": \(OneLine.excerpt(known.example))"
            return diagnostic(of: finding, finding.words(known.count) + "; this is the first\(example)")
        }
        problems.append(
            Diagnostic(
                file: files.first ?? "",
                message: "\(bad) of \(rows) rows cannot be used; allowed: \(NumberText.hundredthsText(share))%"
            )
        )
        return problems
    }

    /// The problem of a log with too many rows that are too late for their place; nil if there are few.
    func problem(lateAbove share: Double) -> Diagnostic? {
        guard Double(count(.late)) > share * Double(rows) else { return nil }
        return diagnostic(
            of: .late,
            "\(count(.late)) of \(rows) rows came more than \(EventLogReader.patience / 1_000_000) s after later rows, and this is "
                + "the first; allowed: \(NumberText.hundredthsText(share))%; sort the rows by time, and make sure that no part of the log is "
                + "in it twice"
        )
    }

    /// A problem at the first place of a finding.
    func diagnostic(of finding: Finding, _ message: String) -> Diagnostic {
        let known = counts[finding]
        let file = known.flatMap { $0.file < files.count ? files[$0.file] : nil } ?? ""
        return Diagnostic(file: file, line: known?.line ?? 1, column: 1, message: message)
    }

    private static func span(_ span: Int64) -> String {
        DurationText.text(microseconds: (Double(span) / 1e3).rounded() * 1e3)
    }
}
