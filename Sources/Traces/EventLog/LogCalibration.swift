import Foundation
import FreshnessCore
public import InputFiles
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import TextFormats

/// A scenario calibrated to an event log: each value with its number of observations, its uncertainty and its fit beside it.
public struct LogCalibration {
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

    /// The digest of the log.
    public let digest: LogDigest
    /// The incidents.
    public let incidents: LogIncidents
    /// The findings of the reader.
    public let cleaning: LogCleaning
    /// The calibrated values with intervals, in the order of the scenario's keys.
    public private(set) var values: [Value] = []
    /// The scenario file.
    public private(set) var yaml = ""
    /// How long past its stale date content still counts as fresh [µs]; nil if the log does not show it.
    public private(set) var freshLimit: Int64?
    /// The names of stages in the order of a ride, with their indices in the log.
    public private(set) var stages: [(index: Int, name: String)] = []
    /// The assumptions about everything that the log does not show, as sentences.
    public private(set) var assumptions: [String] = []

    private let reasons: [String]
    private var lines: [String] = []

    /// The incidents in which APNs' usual answers do not show.
    private static let ofAnswers: Set<Scenario.Fault.Kind> = [.apnsSlow, .apnsSilent, .apnsUnavailable]

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
        guard digest.latencies.count == 0 else { return }
        throw .invalid(
            [
                Diagnostic(
                    file: file,
                    message:
                        "the log has no push that APNs accepted (event answer with status 200), so the belief of the server is "
                        + "not known, and nothing can be compared; log the answers, or map their column and words (--mapping)"
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
        digest.note = { [unowned reader] finding, event in
            reader.cleaning.note(finding, file: event.file, line: event.line)
        }
        while let event = try reader.next() { digest.add(event) }
        digest.finish()
        reader.cleaning.longestGap = digest.longestGap
        try reader.check(mostBadRows: mostBadRows)
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
        incidents = LogIncidents(digest)
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

    private mutating func put(_ line: String = "", _ comment: String = "") {
        lines.append(comment.isEmpty ? line : "\(line) # \(comment)")
    }

    private mutating func assume(_ line: String, _ why: String) {
        put(line, "assumption: \(why)")
        assumptions.append("\(line.drop { $0 == " " || $0 == "-" }): \(why)")
    }

    private mutating func add(_ key: String, _ estimate: Double, _ interval: ClosedRange<Double>?, _ count: Int) {
        values.append(Value(key: key, estimate: estimate, interval: interval, count: count))
    }

    private mutating func add(_ key: String, _ fit: LogFit) { add(key, fit.median, fit.medianInterval, fit.count) }

    private static func percent(_ share: Double) -> String {
        "\(NumberText.text(NumberText.rounded(share * 100, digits: 4)))%"
    }

    private static func percents(_ range: ClosedRange<Double>) -> String {
        "\(percent(range.lowerBound)) … \(percent(range.upperBound))"
    }

    private static func seconds(_ microseconds: Int64) -> String {
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
        for line in cleaning.lines { put("# \(line)") }
        put("name: \(QuotedText.doubleQuoted(name))")
        put("description: \"Calibrated to \(cleaning.rows) rows of an event log.\"")
        put("seed: 1")
        assume("cells: 1", "the log does not show shards of the server")
        put()
    }

    /// The time in which rides are requested, and the rest of the log [µs].
    private var span: (duration: Int64, drain: Int64) {
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

    private mutating func rides() {
        let duration = span.duration
        let step: Int64 = duration >= 4 * 3_600_000_000 ? 3_600_000_000 : 900_000_000
        var counts: [Int] = []
        for (index, bin) in digest.bins.enumerated() {
            let interval = Int(Int64(index) * LogDigest.binLength / step)
            while counts.count <= interval { counts.append(0) }
            counts[interval] += bin.requests
        }
        counts = Array(counts.prefix(Int((duration + step - 1) / step)))
        put("rides:")
        put("  arrivals:")
        put("    process: poisson", dispersion(step))
        var rates: [String] = []
        let observed = min(digest.length, duration)
        for (index, count) in counts.enumerated() {
            let length = max(1, min(step, observed - Int64(index) * step))
            let factor = 3_600_000_000 / Double(length)
            let range = GammaInterval(estimate: Double(count), dispersion: 1).range
            let rate = NumberText.rounded(Double(count) * factor, digits: 6)
            rates.append(NumberText.text(rate))
            add(
                "rides.arrivals.rates_per_hour.\(index)",
                rate,
                range.lowerBound * factor...range.upperBound * factor,
                count
            )
            let low = NumberText.text(NumberText.rounded(range.lowerBound * factor, digits: 4))
            let high = NumberText.text(NumberText.rounded(range.upperBound * factor, digits: 4))
            put("    # interval \(index + 1): n = \(count), rate \(rates[index]) an hour (95 %: \(low) … \(high))")
        }
        put("    rates_per_hour: [\(rates.joined(separator: ", "))]")
        put("    rate_interval: \(DurationText.text(TimeSpan(microseconds: step)))")
        put("  stages:")
        for (index, name) in stages { stage(index, name) }
        cancellation()
        put()
    }

    /// The dispersion of requests in minutes around the rates, in words.
    private func dispersion(_ step: Int64) -> String {
        let perMinute = Int(60_000_000 / LogDigest.binLength)
        let perStep = Int(step / LogDigest.binLength)
        var (sum, degrees) = (0.0, 0.0)
        var start = 0
        while start + perStep <= digest.bins.count {
            let counts = stride(from: start, to: start + perStep, by: perMinute)
                .map { first in
                    Double(digest.bins[first..<(first + perMinute)].reduce(0) { $0 + $1.requests })
                }
            let mean = counts.reduce(0, +) / Double(counts.count)
            if mean > 0.5 {
                sum += counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / mean
                degrees += Double(counts.count - 1)
            }
            start += perStep
        }
        guard degrees >= 5 else { return "assumption: the log is too short to test it" }
        let ratio = sum / degrees
        let pValue = 1 - ChiSquare.cumulative(sum, degreesOfFreedom: degrees)
        return "requests in a minute vary \(LogFit.digits(ratio)) times as much as a Poisson process "
            + (pValue < 0.01
                ? "(more than chance: rates change faster than this, or requests come in groups)"
                : "(no more than chance)")
    }

    private mutating func stage(_ index: Int, _ name: String) {
        var observations: [ProductLimit.Observation] = []
        for ride in digest.rides.elements {
            for (place, part) in ride.stages.enumerated() where part.stage == index || index < 0 {
                let isLast = place == ride.stages.count - 1
                let isCut = isLast && (ride.isCancelled || !ride.isComplete)
                observations.append(.init(time: part.length, isEvent: !isCut))
            }
        }
        let limit = ProductLimit(observations, leastAtRisk: Self.leastAtRisk(observations))
        put("    - name: \(QuotedText.doubleQuoted(name))")
        if let fit = LogFit(limit.sample(atMost: 20_000, isCertain: true), count: limit.eventCount) {
            add("rides.stages.\(name).duration", fit)
            let cut = limit.count - limit.eventCount
            put("      duration: \(fit.yaml)", fit.comment + (cut > 0 ? "; \(cut) cut short, by Kaplan and Meier" : ""))
        } else {
            assume("      duration: 10m", "the log has no whole stage of this name")
        }
        let (first, later) = refreshes(index)
        let used = later.eventCount >= 50 || later.eventCount >= first.eventCount ? later : first
        if used.eventCount >= 5, let fit = LogFit(used.sample(atMost: 20_000, isCertain: true), count: used.eventCount)
        {
            add("rides.stages.\(name).refresh", fit)
            put("      refresh: \(fit.yaml)", fit.comment)
        } else if used.eventCount + first.eventCount > 0 {
            // A few short times alone would state a rate that the rest of the stage does not have.
            let timings = (digest.firstRefreshes[index]?.elements ?? []) + (digest.refreshes[index]?.elements ?? [])
            let count = first.eventCount + later.eventCount
            let mean = timings.reduce(0) { $0 + Double($1.time) } / Double(count)
            put(
                "      refresh: {exponential: {mean: \(LogFit.text(max(1e6, mean)))}}",
                "n = \(count): too few for a fit; the observed time by the number of refreshes"
            )
        } else {
            put("      refresh: 6h", "n = 0: the log has no refresh in this stage")
        }
    }

    private mutating func cancellation() {
        var byStage: [Int: Int] = [:]
        var cancelled = 0
        for ride in digest.rides.elements where ride.isCancelled {
            cancelled += 1
            if let last = ride.stages.last { byStage[last.stage, default: 0] += 1 }
        }
        guard cancelled > 0 else {
            put("  cancellation: {share: 0}", "none of \(digest.rides.count) rides was cancelled")
            return
        }
        let last =
            stages.lastIndex { Double(byStage[$0.index] ?? 0) >= max(1, 0.005 * Double(cancelled)) } ?? stages.count - 1
        let allowed = Set(stages[...last].map(\.index))
        let observations = digest.rides.elements.map { ride -> ProductLimit.Observation in
            let length = ride.stages.prefix { allowed.contains($0.stage) }.reduce(0) { $0 + $1.length }
            let isEvent = ride.isCancelled && (ride.stages.last.map { allowed.contains($0.stage) } ?? true)
            return .init(time: length, isEvent: isEvent)
        }
        let limit = ProductLimit(observations, leastAtRisk: max(5, observations.count / 100))
        put("  cancellation:")
        put(
            "    share: \(Self.percent(limit.share))",
            "n = \(limit.count), \(limit.eventCount) cancelled; 95 %: \(Self.percents(limit.shareInterval)); unless their stages "
                + "end first, by Kaplan and Meier"
        )
        add("rides.cancellation.share", limit.share, limit.shareInterval, limit.count)
        if let fit = LogFit(limit.sample(atMost: 20_000), count: limit.eventCount) {
            put("    after: \(fit.yaml)", fit.comment)
            add("rides.cancellation.after", fit)
        }
        put("    until_stage: \(QuotedText.doubleQuoted(stages[last].name))", "the last stage with cancellations")
    }

    private mutating func content() {
        put("content:")
        if let fit = LogFit(digest.ttls.elements, count: digest.ttls.count) {
            let middle = Int64(fit.median)
            put("  ttl: \(LogFit.text(Double(middle)))", "the median of stale date minus content, n = \(fit.count)")
            add("content.ttl", fit.median, fit.medianInterval, fit.count)
        } else {
            assume("  ttl: 2m", "the log has no stale dates")
        }
        if digest.contentCount > 0 {
            let share = Double(digest.withoutStaleDate) / Double(digest.contentCount)
            let interval = WilsonInterval(share: share, of: Double(digest.contentCount)).range
            put(
                "  stale_date_missing: \(Self.percent(digest.ttls.count == 0 ? 0 : share))",
                "n = \(digest.contentCount); 95 %: \(Self.percents(interval))"
            )
            if digest.ttls.count > 0 { add("content.stale_date_missing", share, interval, digest.contentCount) }
        }
        let (ratio, count) = restart
        if let ratio {
            put(
                "  refresh_restarts_at_state_change: \(ratio > 0.75)",
                "the first refresh of a stage takes \(LogFit.digits(ratio)) times as long as the next; n = \(count)"
            )
        } else {
            assume("  refresh_restarts_at_state_change: true", "too few refreshes follow a stage change")
        }
        tokenContent()
        for (index, key) in ["state_change_priority", "refresh_priority"].enumerated() {
            let (low, high) = (digest.priorities[index][0], digest.priorities[index][1])
            put("  \(key): \(low > high ? 5 : 10)", "n = \(low + high), \(max(low, high)) of them")
        }
        put()
    }

    /// The server's answer to a token: many send content to each at once, others wait for news.
    private mutating func tokenContent() {
        let (answered, count) = (digest.tokensAnswered, digest.tokensReceived)
        guard count >= 5 else {
            assume("  sent_on_new_token: false", "the log has hardly any tokens")
            return
        }
        let share = Double(answered) / Double(count)
        let interval = WilsonInterval(share: share, of: Double(count)).range
        put(
            "  sent_on_new_token: \(share > 0.5)",
            "an update followed \(Self.percent(share)) of \(count) tokens within 0.5 s; 95 %: \(Self.percents(interval))"
        )
    }

    /// The number of observations below which later events are left out: if many are cut short, the last few events would count for
    /// many.
    private static func leastAtRisk(_ observations: [ProductLimit.Observation]) -> Int {
        observations.count { !$0.isEvent } * 20 > observations.count ? max(1, min(20, observations.count / 50)) : 1
    }

    /// The times to the first refresh of a stage and to later ones, without those that an incident interrupts.
    private func refreshes(_ index: Int) -> (first: ProductLimit, later: ProductLimit) {
        func limit(_ all: Reservoir<LogDigest.Timing>?) -> ProductLimit {
            let observations = usual(all?.elements ?? [], [.contentDown, .senderPaused])
            return ProductLimit(observations, leastAtRisk: Self.leastAtRisk(observations))
        }
        return (limit(digest.firstRefreshes[index]), limit(digest.refreshes[index]))
    }

    /// Observations that neither begin nor end in an incident of a kind.
    private func usual(_ timings: [LogDigest.Timing], _ kinds: Set<Scenario.Fault.Kind>) -> [ProductLimit.Observation] {
        timings.filter { !incidents.cover($0.at, kinds) && !incidents.cover($0.at + $0.time, kinds) }.map(\.observation)
    }

    /// The ratio of the times to the first and to later refreshes of a stage.
    private var restart: (ratio: Double?, count: Int) {
        var best: (ratio: Double?, count: Int) = (nil, 0)
        for (index, _) in stages {
            let (first, later) = refreshes(index)
            let count = min(first.eventCount, later.eventCount)
            guard count >= 20, count > best.count, let left = first.quantile(0.5), let right = later.quantile(0.5),
                right > 0
            else { continue }
            best = (Double(left) / Double(right), count)
        }
        return best
    }

    private mutating func devices() {
        put("devices:")
        let starts = digest.bins.reduce(0) { $0 + $1.starts }
        let hasStarts = starts > 0
        let started = ProductLimit(
            usual(
                hasStarts
                    ? digest.startDelays.elements
                    : digest.tokenDelayOutcomes.elements + digest.startDelays.elements.filter { !$0.isEvent },
                [.contentDown]
            )
        )
        if started.eventCount > 0 {
            put(
                "  activities_enabled: \(Self.percent(started.share))",
                "n = \(started.count), \(started.eventCount) \(hasStarts ? "started" : "posted a token"); 95 %: "
                    + Self.percents(started.shareInterval)
            )
            add("devices.activities_enabled", started.share, started.shareInterval, started.count)
        } else {
            assume("  activities_enabled: 100%", "the log has no start of an activity and no token")
        }
        put("  start:")
        put("    by: app")
        if hasStarts, let fit = LogFit(started.sample(atMost: 20_000), count: started.eventCount) {
            put("    time: \(fit.yaml)", fit.comment + "; failed attempts are part of it")
            add("devices.start.time", fit)
        }
        let tokens = ProductLimit(usualTokenDelays)
        let outcomes = ProductLimit(usual(digest.tokenDelayOutcomes.elements, [.tokenPostDown]))
        put("  token:")
        if hasStarts {
            let never = max(0, 1 - outcomes.share)
            let range = max(0, 1 - outcomes.shareInterval.upperBound)...max(0, 1 - outcomes.shareInterval.lowerBound)
            put("    never: \(Self.percent(never))", "n = \(outcomes.count); 95 %: \(Self.percents(range))")
            add("devices.token.never", never, range, outcomes.count)
        }
        if let fit = LogFit(tokens.sample(atMost: 20_000), count: tokens.eventCount) {
            put(
                "    delay: \(fit.yaml)",
                fit.comment + "; from the \(hasStarts ? "start" : "request") to the post, with failed posts"
            )
            add("devices.token.delay", fit)
        } else if !hasStarts {
            assume("    never: 0%", "the log has no token")
        }
        if incidents.incidents.contains(where: { $0.kind == .tokenPostDown }) {
            assume("    post_attempts: 100", "apps repeat posts until they succeed; the log shows only those that did")
        }
        if digest.rotations > 0 {
            let mean = digest.tokenTime / Double(digest.rotations)
            let range = GammaInterval(estimate: Double(digest.rotations), dispersion: 1).range
            let interval = digest.tokenTime / range.upperBound...digest.tokenTime / max(0.1, range.lowerBound)
            put(
                "    rotation: {exponential: {mean: \(LogFit.text(mean))}}",
                "n = \(digest.rotations); 95 %: \(LogFit.text(interval.lowerBound)) … \(LogFit.text(interval.upperBound))"
            )
            add("devices.token.rotation", mean, interval, digest.rotations)
        }
        let (limit, ends) = initialLimit
        if let limit {
            put(
                "  initial_content_limit: \(Self.seconds(limit.at))",
                "n = \(limit.count) ends that apps reported at nearly the same age of the activity"
            )
        } else if digest.reportedEndCount == 0 {
            assume("  initial_content_limit: off", "the log has no ends that apps reported, so none is modelled")
        } else {
            assume("  initial_content_limit: off", "the ends that apps report do not gather at one age of activities")
        }
        let early = ProductLimit(ends, leastAtRisk: max(20, ends.count / 20))
        if early.eventCount > 0 {
            put("  swipe:")
            put(
                "    share: \(Self.percent(early.share))",
                "n = \(early.count), \(early.eventCount) ended during the ride by the app's report; 95 %: "
                    + "\(Self.percents(early.shareInterval)); all count as swipes, because the log does not distinguish them from ends by iOS"
            )
            add("devices.swipe.share", early.share, early.shareInterval, early.count)
            if let fit = LogFit(early.sample(atMost: 20_000), count: early.eventCount) {
                put("    after: \(fit.yaml)", fit.comment + "; from the start")
            }
        }
        assumptions.append(
            "devices.connectivity, devices.budget: phones are online and take every push; no server's log shows them"
        )
        put()
    }

    /// The age at which apps end activities without an update, if ends come together at one age; and the other ends, with these as
    /// the end of their observation.
    private var initialLimit: (limit: (at: Int64, count: Int)?, ends: [ProductLimit.Observation]) {
        let all = digest.earlyEnds.elements.map(\.observation)
        let times = all.filter(\.isEvent).map(\.time).sorted()
        var best = (first: 0, count: 0)
        var first = 0
        for last in times.indices {
            while times[last] - times[first] > 4_000_000 { first += 1 }
            if last - first + 1 > best.count { best = (first, last - first + 1) }
        }
        // The ends of swipes are spread; those of a limit are not.
        let near = times.count { abs($0 - (times.isEmpty ? 0 : times[best.first])) < 30_000_000 }
        guard !times.isEmpty, best.count >= max(8, times.count / 5), best.count * 3 > near * 2,
            times[best.first] > 20_000_000
        else {
            return (nil, all)
        }
        let range = times[best.first]...times[best.first + best.count - 1]
        // An app reports its end a little later.
        let at = range.lowerBound / 1_000_000 * 1_000_000
        let rest = all.map { ProductLimit.Observation(time: $0.time, isEvent: $0.isEvent && !range.contains($0.time)) }
        return ((at, best.count), rest)
    }

    /// The delays of tokens outside of stretches in which none came.
    private var usualTokenDelays: [ProductLimit.Observation] {
        digest.tokenDelays.elements.filter { !incidents.cover($0.at, [.tokenPostDown], margin: 60_000_000) }
            .map { .init(time: $0.value, isEvent: true) }
    }

    private mutating func apns() {
        put("apns:")
        assume(
            "  latency: {lognormal: {median: 620ms, p95: 2s}}",
            "no server sees delivery; one app's figures (Apple's forums, thread 825224)"
        )
        let usual = digest.rejections.elements.filter { !incidents.cover($0.at, [.apnsUnavailable]) }
        var counts: [Int: Int] = [:]
        for rejection in usual { counts[rejection.reason, default: 0] += 1 }
        let scale = Double(digest.rejections.count) / Double(max(1, digest.rejections.elements.count))
        let requests = digest.bins.enumerated()
            .reduce(0) { sum, entry in
                let at = digest.origin + Int64(entry.offset) * LogDigest.binLength
                guard !incidents.cover(at, [.apnsUnavailable]) else { return sum }
                let bin = entry.element
                return sum + bin.accepted + bin.rejected + bin.unavailable + bin.unanswered
            }
        let modelled = APNsReason.allCases.filter { $0 != .expiredToken && $0 != .unregistered }
        let found = modelled.compactMap { reason -> (APNsReason, Int)? in
            guard let index = reasons.firstIndex(of: reason.rawValue), let count = counts[index] else { return nil }
            return (reason, Int((Double(count) * scale).rounded()))
        }
        if !found.isEmpty, requests > 0 {
            put("  reasons:")
            for (reason, count) in found {
                let share = Double(count) / Double(requests)
                let interval = WilsonInterval(share: min(1, share), of: Double(requests)).range
                put(
                    "    \(reason.rawValue): \(Self.percent(share))",
                    "\(count) of \(requests); 95 %: \(Self.percents(interval))"
                )
                add("apns.reasons.\(reason.rawValue)", share, interval, requests)
            }
        }
        let dead = digest.rejections.elements.count { $0.status == 410 }
        if dead > 0 { put("  # \(dead) answers were 410; the model produces these when tokens die") }
        put()
    }

    private mutating func sender() {
        put("sender:")
        let latencies = digest.latencies.elements.filter { !incidents.cover($0.at, Self.ofAnswers) }.map(\.value)
        if let fit = LogFit(
            latencies.isEmpty ? digest.latencies.elements.map(\.value) : latencies,
            count: digest.latencies.count
        ) {
            put("  request_time: \(fit.yaml)", fit.comment)
            add("sender.request_time", fit)
            hourly(fit.median)
        } else {
            assume("  request_time: {lognormal: {median: 200ms, p95: 500ms}}", "the log has no answers")
        }
        let patience = digest.giveUps.elements.map(\.value).sorted()
        if patience.count >= 3 {
            put(
                "  timeout: \(LogFit.text(Double(patience[patience.count / 2])))",
                "the median time until the sender gave up, n = \(patience.count)"
            )
        } else {
            assume("  timeout: 10s", "\(patience.isEmpty ? "no request" : "hardly any request") went unanswered")
        }
        put("  attempts: \(digest.mostAttempts)", "the most in the log")
        // Content that waited for the end of a pause says nothing about the sender's size.
        let usual = digest.bins.enumerated()
            .filter {
                !incidents.cover(
                    digest.origin + Int64($0.offset) * LogDigest.binLength,
                    [.senderPaused],
                    margin: 60_000_000
                )
            }
        let waits = usual.reduce(0) { $0 + $1.element.waits }
        let mean = Double(usual.reduce(0) { $0 + $1.element.wait }) / Double(max(1, waits))
        if waits > 0, mean > 50_000 {
            put("  connections: 1")
            put(
                "  streams: \(max(1, digest.peakInFlight))",
                "the most requests in flight, while content waited \(LogFit.text(mean)) on average: the sender was full"
            )
        } else {
            put("  connections: 1")
            assume(
                "  streams: \(max(1000, digest.peakInFlight * 2))",
                "the sender was never full: at most \(digest.peakInFlight) requests were in flight, so its size does not show"
            )
        }
        put()
    }

    /// Latency and rejections by hour, as comments; a scenario has one distribution for all hours.
    private mutating func hourly(_ usual: Double) {
        let perHour = Int(3_600_000_000 / LogDigest.binLength)
        guard digest.bins.count >= 2 * perHour else { return }
        put("  # by hour: geometric mean of latency, rejected, unanswered")
        for start in stride(from: 0, to: digest.bins.count, by: perHour) {
            let part = digest.bins[start..<min(digest.bins.count, start + perHour)]
            let accepted = part.reduce(0) { $0 + $1.accepted }
            guard accepted > 0 else { continue }
            let mean = exp(part.reduce(0) { $0 + $1.logLatency } / Double(accepted))
            let rejected = part.reduce(0) { $0 + $1.rejected + $1.unavailable }
            let unanswered = part.reduce(0) { $0 + $1.unanswered }
            put(
                "  #   +\(start / perHour)h: \(LogFit.text(mean)), \(rejected) and \(unanswered) of \(accepted + rejected + unanswered)"
            )
        }
    }

    private mutating func monitor() {
        put("monitor:")
        let delays = digest.retryDelays.elements.sorted()
        if delays.count >= 5 {
            let quarter = delays.count / 4
            let spread = Double(delays[delays.count - 1 - quarter] - delays[quarter])
            let middle = Double(delays[delays.count / 2])
            // Scans at even intervals spread the attempts evenly over one interval.
            let scan = (2 * spread / 1e6).rounded() * 1e6
            let limit = max(0, Int64(((middle - scan / 2) / 1e6).rounded()) * 1_000_000)
            freshLimit = limit
            put(
                "  fresh_limit: \(Self.seconds(limit))",
                "from stale dates to the first attempts to recover, n = \(delays.count)"
            )
            add("monitor.fresh_limit", Double(limit), nil, delays.count)
            if scan >= 1e6, scan < 300e6 {
                put("  scan_interval: \(LogFit.text(scan))", "first attempts spread over it")
            }
        } else {
            assume(
                "  fresh_limit: 1m",
                "the log has \(delays.isEmpty ? "no attempt" : "hardly any attempts") to recover an activity"
            )
        }
        let severe = digest.severeDelays.elements.sorted()
        if severe.count >= 3 {
            let window = severe[severe.count / 2] - (freshLimit ?? 60_000_000)
            put(
                "  recovery_window: \(Self.seconds(max(1_000_000, window)))",
                "ends during rides after that time, n = \(severe.count)"
            )
        } else {
            assume("  recovery_window: 8m", "the log has no end of an activity that could not be recovered")
        }
        retries()
        ends()
        put()
    }

    private mutating func retries() {
        guard digest.mostRetries > 0 else {
            assume("  retry: {max_attempts: 0}", "the log has no attempts to recover")
            return
        }
        put("  retry:")
        put("    max_attempts: \(digest.mostRetries)", "the most in one episode")
        let first = digest.retryPauses[1]?.elements.sorted() ?? []
        let second = digest.retryPauses[2]?.elements.sorted() ?? []
        if first.count >= 5 {
            let (low, high) = (first[first.count / 20], first[first.count - 1 - first.count / 20])
            let isSpread = Double(high) > 1.3 * Double(low)
            let base = isSpread ? high : first[first.count / 2]
            var factor = 2.0
            if second.count >= 5 {
                func mean(_ values: [Int64]) -> Double { values.reduce(0) { $0 + Double($1) } / Double(values.count) }
                factor = min(100, max(1, (mean(second) / max(1, mean(first)) * 4).rounded() / 4))
            }
            let longest =
                digest.retryPauses.keys.sorted().compactMap { digest.retryPauses[$0]?.elements.max() }.max() ?? base
            put(
                "    backoff: {base: \(Self.seconds(max(1_000_000, base))), factor: \(NumberText.text(factor)), "
                    + "cap: \(Self.seconds(max(base, longest)))}",
                "n = \(first.count) and \(second.count) pauses"
            )
            put(
                "    jitter: \(isSpread ? "equal" : "none")",
                "pauses vary from \(LogFit.text(Double(low))) to \(LogFit.text(Double(high)))"
            )
        }
        let priorities = (0..<min(10, digest.mostRetries))
            .map { number -> String in
                let counts = digest.retryPriorities[number] ?? [0, 1]
                return counts[0] > counts[1] ? "5" : "10"
            }
        put("    priorities: [\(priorities.joined(separator: ", "))]")
        assumptions.append(
            "monitor.retry.budget: attempts to recover have no limit; the log does not show attempts that were withheld"
        )
    }

    private mutating func ends() {
        var schedule: [Int64] = []
        for number in 0..<16 {
            let delays = digest.endDelays[number]?.elements.sorted() ?? []
            guard delays.count >= (number == 0 ? 1 : 3) else { break }
            let middle = (delays[delays.count / 2] + 500_000) / 1_000_000 * 1_000_000
            if let last = schedule.last, middle <= last { break }
            schedule.append(middle)
        }
        guard !schedule.isEmpty else {
            assume("  end_schedule: [0s, 30s, 2m]", "the log has no end of an activity")
            return
        }
        let text = schedule.map { Self.seconds($0) }.joined(separator: ", ")
        put(
            "  end_schedule: [\(text)]",
            "the median times from the end of rides to their end events, n = \(digest.endsByRide)"
        )
    }

    private mutating func faults() {
        guard !incidents.incidents.isEmpty else {
            put("faults: []", "no stretch of the log differs from the rest by more than chance")
            return
        }
        put("faults:")
        for incident in incidents.incidents {
            let at = max(0, incident.from - digest.origin)
            let length = incident.until - incident.from
            func bounds(_ range: ClosedRange<Int64>) -> String {
                "\(Self.seconds(max(0, range.lowerBound - digest.origin))) … \(Self.seconds(max(0, range.upperBound - digest.origin)))"
            }
            var text = "kind: \(incident.kind.rawValue), at: \(Self.seconds(at)), duration: \(Self.seconds(length))"
            var size = ""
            if let value = incident.size, let interval = incident.sizeInterval {
                if incident.kind == .apnsSlow {
                    text += ", factor: \(NumberText.text((value * 100).rounded() / 100))"
                    size = "; factor \(LogFit.digits(interval.lowerBound)) … \(LogFit.digits(interval.upperBound))"
                } else {
                    if value < 1 { text += ", share: \(Self.percent(value))" }
                    size = "; share \(Self.percents(interval))"
                }
            }
            put(
                "  - {\(text)}",
                "n = \(incident.count); began \(bounds(incident.beginning)), ended \(bounds(incident.ending))\(size)"
            )
        }
    }

    private mutating func closing() {
        put()
        put("# Not in the log:")
        for sentence in assumptions { put("# - \(sentence)") }
    }
}

extension ProductLimit {
    /// The quantile of the times to an event; nil if there is none.
    fileprivate func quantile(_ probability: Double) -> Int64? {
        steps.first { $0.share >= probability * share }?.time
    }
}
