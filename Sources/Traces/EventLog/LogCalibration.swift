import Foundation
import FreshnessCore
public import InputFiles
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import TextFormats

/// A scenario calibrated to an event log: each value with its number of observations, its uncertainty and its fit beside it.
public struct LogCalibration: Sendable {
    /// A calibrated value.
    public struct Value: Sendable {
        /// The key of the scenario.
        public let key: String
        /// The estimate; a duration is in µs.
        public let estimate: Double
        /// Its 95 % interval; nil if the value is no estimate of a population.
        public let interval: ClosedRange<Double>?
        /// The number of observations.
        public let count: Int
    }

    /// A value that the log does not show.
    public struct Assumption: Sendable {
        /// The key with its value, and the reason.
        public let sentence: String
        /// Other plausible values, as settings `key=value`.
        public let alternatives: [String]
        /// The effect of the alternatives, in words; nil if they were not tried.
        public var effect: String?
    }

    /// The digest of the log.
    public let digest: LogDigest
    /// The incidents.
    public let incidents: LogIncidents
    /// The way of pushes to the screen.
    let screens: LogScreens
    /// The findings of the reader.
    public let cleaning: LogCleaning
    /// The calibrated values with intervals, in the order of the scenario's keys.
    public internal(set) var values: [Value] = []
    /// The scenario file.
    public internal(set) var yaml = ""
    /// How long past its stale date content still counts as fresh [µs]; nil if the log does not show it.
    public internal(set) var freshLimit: Int64?
    /// The names of stages in the order of a ride, with their indices in the log.
    public internal(set) var stages: [(index: Int, name: String)] = []
    /// The assumptions about everything that the log does not show, in the order of the scenario or of their effects.
    public internal(set) var assumptions: [Assumption] = []

    let reasons: [String]
    private var lines: [String] = []
    /// The number of lines before the list of assumptions.
    private var closingStart = 0

    /// The incidents in which APNs' usual answers do not show.
    static let ofAnswers: Set<Scenario.Fault.Kind> = [.apnsSlow, .apnsSilent, .apnsUnavailable]

    /// Reads a log and calibrates a scenario to it.
    ///
    /// - Parameters:
    ///   - mostBadRows: The share of bad rows above which the log is refused.
    ///   - name: The name of the scenario.
    ///   - freshLimit: How long past its stale date content counts as fresh in the digest [µs].
    /// - Throws: ``DataFileError``.
    public static func of(
        files: [String],
        mapping: LogMapping = LogMapping(),
        mostBadRows: Double = 0.05,
        name: String,
        freshLimit: Int64 = 60_000_000,
        keepsRides: Bool = false,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> LogCalibration {
        let (digest, reader) = try digest(
            files: files,
            mapping: mapping,
            mostBadRows: mostBadRows,
            freshLimit: freshLimit,
            keepsRides: keepsRides,
            notify: notify
        )
        guard digest.lastRequest != .min else {
            throw .invalid(
                [
                    Diagnostic(
                        file: files.first ?? "",
                        message:
                            "the log has no request of a ride (event ride_requested), so it shows no arrivals and no stages; "
                            + "freshet fit --send-log reads a log of requests to APNs alone"
                    )
                ],
                omitted: 0
            )
        }
        return LogCalibration(
            digest,
            cleaning: reader.cleaning,
            stages: reader.stages,
            reasons: reader.reasons,
            name: name
        )
    }

    /// Checks that the log shows the belief of the server: a push counts as shown once APNs has accepted it.
    ///
    /// - Throws: ``DataFileError`` for a log without an accepted push.
    public func requireAnswers(of file: String) throws(DataFileError) {
        guard digest.acceptedCount == 0 else { return }
        throw .invalid(
            [
                Diagnostic(
                    file: file,
                    message:
                        "the log has no push that APNs accepted (event answer with status 200), so the belief of the server is "
                        + "not known; log the answers, or map their column and words (--mapping)"
                )
            ],
            omitted: 0
        )
    }

    /// Reads a log into a digest.
    ///
    /// - Parameters:
    ///   - freshLimit: How long past its stale date content still counts as fresh [µs].
    ///   - assumedTTL: The time from content to its stale date, for a log without stale dates [µs].
    /// - Throws: ``DataFileError``.
    public static func digest(
        files: [String],
        mapping: LogMapping = LogMapping(),
        mostBadRows: Double = 0.05,
        freshLimit: Int64 = 60_000_000,
        assumedTTL: Int64? = nil,
        keepsRides: Bool = false,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> (LogDigest, EventLogReader) {
        let reader = try EventLogReader(files: files, mapping: mapping, notify: notify)
        var digest = LogDigest(freshLimit: freshLimit, assumedTTL: assumedTTL, keepsRides: keepsRides)
        func note() {
            for (finding, event) in digest.takeFindings() {
                reader.cleaning.note(finding, file: event.file, line: event.line)
            }
        }
        while let event = try reader.next() {
            digest.add(event)
            note()
        }
        digest.finish()
        note()
        reader.cleaning.longestGap = digest.gaps.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        for gap in reader.fileGaps where digest.begin < digest.end {
            // All files may have it.
            let time = gap.time.lowerBound - digest.origin..<gap.time.upperBound - digest.origin
            guard 2 * digest.observed(time) > Int64(time.count) else { continue }
            reader.cleaning.note(.fileGap, file: gap.file, line: gap.line, gap.place)
            reader.cleaning.longestFileGap = max(reader.cleaning.longestFileGap, Int64(time.count))
        }
        reader.cleaning.clock = reader.clock
        reader.cleaning.clockChange = reader.clock.words(from: digest.begin, to: digest.end)
        try reader.check(mostBadRows: mostBadRows)
        try reader.checkTimes(latency: digest.medianLatency)
        return (digest, reader)
    }

    /// Calibrates a scenario to the digest of a log.
    ///
    /// - Parameters:
    ///   - stages: The names of stages by their index in events.
    ///   - reasons: The names of reasons by their index in events.
    public init(_ digest: LogDigest, cleaning: LogCleaning, stages: [String], reasons: [String], name: String) {
        self.digest = digest
        self.cleaning = cleaning
        self.reasons = reasons
        let incidents = LogIncidents(digest)
        self.incidents = incidents
        screens = LogScreens(digest.screens.elements) {
            !incidents.cover($0, Self.ofAnswers.union([.devicesOffline, .connectionLost]))
        }
        let order = digest.stagesInOrder
        self.stages = order.map { ($0, $0 < stages.count ? stages[$0] : "stage-\($0)") }
        if self.stages.isEmpty { self.stages = [(-1, "ride")] }
        header(name)
        clock()
        rides()
        content()
        devices()
        apns()
        sender()
        monitor()
        faults()
        closing()
        yaml = lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Lines

    mutating func put(_ line: String = "", _ comment: String = "") {
        lines.append(comment.isEmpty ? line : "\(line) # \(comment)")
    }

    /// Appends a value that the log does not show.
    ///
    /// - Parameter alternatives: Settings with other plausible values.
    mutating func assume(_ line: String, _ why: String, or alternatives: [String]) {
        put(line, "assumption: \(why)")
        assume("\(line.drop { $0 == " " || $0 == "-" }): \(why)", or: alternatives)
    }

    /// Notes an assumption without a line of its own.
    mutating func assume(_ sentence: String, or alternatives: [String]) {
        assumptions.append(Assumption(sentence: sentence, alternatives: alternatives))
    }

    /// Lists the assumptions in another order, with their effects.
    public mutating func rank(_ ranked: [Assumption]) {
        assumptions = ranked
        lines.removeLast(lines.count - closingStart)
        closing()
        yaml = lines.joined(separator: "\n") + "\n"
    }

    mutating func add(_ key: String, _ estimate: Double, _ interval: ClosedRange<Double>?, _ count: Int) {
        values.append(Value(key: key, estimate: estimate, interval: interval, count: count))
    }

    mutating func add(_ key: String, _ fit: LogFit) { add(key, fit.median, fit.medianInterval, fit.count) }

    /// The addition to a number of observations that are a uniform sample; empty if they are all.
    static func sampled<Element>(_ reservoirs: Reservoir<Element>?...) -> String {
        let used = reservoirs.compactMap(\.self)
        guard used.contains(where: \.isSample) else { return "" }
        let (kept, all) = used.reduce((0, 0)) { ($0.0 + $1.elements.count, $0.1 + $1.count) }
        return "; from a uniform sample of \(kept) of \(all)"
    }

    static func percent(_ share: Double) -> String {
        "\(NumberText.text(NumberText.rounded(share * 100, digits: 4)))%"
    }

    static func percents(_ range: ClosedRange<Double>) -> String {
        "\(percent(range.lowerBound)) … \(percent(range.upperBound))"
    }

    static func seconds(_ microseconds: Int64) -> String {
        DurationText.text(microseconds: (Double(microseconds) / 1e6).rounded() * 1e6)
    }

    // MARK: - Sections

    private mutating func header(_ name: String) {
        put(
            "# Calibrated by `freshet calibrate` to an event log. Beside each value: the number of observations, the 95 % interval and the"
        )
        put(
            "# goodness of fit. Values that the log does not show are marked as assumptions; the end of the file lists all of them."
        )
        put("#")
        for line in notes { put("# \(line)") }
        put("name: \(QuotedText.doubleQuoted(name))")
        put("description: \"Calibrated to \(cleaning.rows) rows of an event log.\"")
        put("seed: 1")
        assume("cells: 1", "the log does not show shards of the server", or: ["cells=4", "cells=16"])
        put()
    }

    /// The time in which rides are requested, and the rest of the log [µs].
    var span: (duration: Int64, drain: Int64) {
        let unit: Int64 = 300_000_000
        func up(_ time: Int64) -> Int64 { max(unit, (time + unit - 1) / unit * unit) }
        let requests = max(1, digest.bins.reduce(0) { $0 + $1.requests })
        guard digest.lastRequest != .min else { return (up(digest.length), 0) }
        let asked = max(0, digest.lastRequest - digest.origin)
        let pause = digest.end - digest.lastRequest
        // Requests that have stopped long before the end of the log have ended.
        guard pause > max(900_000_000, 12 * asked / Int64(requests)) else {
            return (up(digest.length), 0)
        }
        return (up(asked), up(digest.length) - up(asked))
    }

    private mutating func clock() {
        put("clock:")
        let (duration, drain) = span
        put(
            "  duration: \(DurationText.text(TimeSpan(microseconds: duration)))",
            "in which the log has requests of rides"
        )
        if drain > 0 { put("  drain: \(DurationText.text(TimeSpan(microseconds: drain)))", "the rest of the log") }
        put("  window: 5m")
        let start = Scenario.LocalTime(timeOfDay: TimeSpan(microseconds: CivilTime.timeOfDay(digest.origin)))
        put("  starts_at: \"\(LocalTimeText.text(start))\"", "the first row, by the log's clock")
        put()
    }

    private mutating func closing() {
        closingStart = lines.count
        put()
        let isRanked = assumptions.contains { $0.effect != nil }
        put(isRanked ? "# Not in the log, by the effect on the believed freshness:" : "# Not in the log:")
        for assumption in assumptions {
            put("# - \(assumption.sentence)" + (assumption.effect.map { "; \($0)" } ?? ""))
        }
    }
}
