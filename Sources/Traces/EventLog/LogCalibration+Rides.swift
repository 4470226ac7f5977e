import InputFiles
import LiveActivityModel
import Quantities
import Statistics
import TextFormats

/// Requests and stages of rides.
extension LogCalibration {
    mutating func rides() {
        let duration = span.duration
        let step: Int64 = duration >= 4 * 3_600_000_000 ? 3_600_000_000 : 900_000_000
        var counts: [Int] = []
        for (index, bin) in digest.bins.enumerated() {
            let interval = Int(Int64(index) * digest.binLength / step)
            while counts.count <= interval { counts.append(0) }
            counts[interval] += bin.requests
        }
        counts = Array(counts.prefix(Int((duration + step - 1) / step)))
        put("rides:")
        put("  arrivals:")
        put("    process: poisson", dispersion(step))
        let observed = requested
        let lengths = counts.indices.map { index -> Int64? in
            let interval = (Int64(index) * step..<Int64(index + 1) * step).clamped(to: observed)
            let length = digest.observed(interval)
            // A few minutes beside a gap show no rate of an hour.
            return length < min(Int64(interval.count), step / 12) ? nil : max(1, length)
        }
        let known: [Double?] = zip(counts, lengths)
            .map { count, length in length.map { Double(count) * 3.6e9 / Double($0) } }
        var rates: [String] = []
        var unknown: [Int] = []
        for (index, count) in counts.enumerated() {
            guard let length = lengths[index] else {
                let around = [known[..<index].compactMap(\.self).last, known[index...].compactMap(\.self).first]
                    .compactMap(\.self)
                let mean = around.reduce(0, +) / Double(max(1, around.count))
                rates.append(NumberText.text(NumberText.rounded(mean, digits: 6)))
                put("    # interval \(index + 1): no rate, because the log has a gap there")
                unknown.append(index + 1)
                continue
            }
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
        if let first = unknown.first, let last = unknown.last {
            assume(
                "rates_per_hour: in \(unknown.count.counted("interval", "intervals")) from \(first) to \(last), in which the log has a gap, the "
                    + "mean of the nearest known rates",
                or: []
            )
        }
        put("    rate_interval: \(DurationText.text(TimeSpan(microseconds: step)))")
        put("  stages:")
        for (index, name) in stages { stage(index, name) }
        cancellation()
        put()
    }

    /// The time in which rides were requested, from the origin on: from the first row to the last, or to the last request if requests
    /// had ended long before [µs].
    private var requested: Range<Int64> {
        let from = max(0, min(digest.begin, digest.lastRequest) - digest.origin)
        let to = span.drain > 0 ? digest.lastRequest + 1 - digest.origin : digest.length
        return from..<max(from + 1, to)
    }

    /// The dispersion of requests in minutes around the rates, in words; minutes at the ends count only as a whole.
    func dispersion(_ step: Int64) -> String {
        let minute: Int64 = 60_000_000
        let perMinute = Int(minute / digest.binLength)
        let observed = requested
        let first = Int((observed.lowerBound + minute - 1) / minute)
        let minutes = first..<max(first, Int(observed.upperBound / minute))
        var (sum, degrees) = (0.0, 0.0)
        let perStep = Int(step / minute)
        for start in stride(from: 0, to: minutes.upperBound, by: perStep) {
            let counts = (start..<(start + perStep)).clamped(to: minutes)
                .filter { digest.observed(Int64($0) * minute..<Int64($0 + 1) * minute) == minute }
                .map { number in
                    Double(digest.bins.dropFirst(number * perMinute).prefix(perMinute).reduce(0) { $0 + $1.requests })
                }
            guard counts.count > 1 else { continue }
            let mean = counts.reduce(0, +) / Double(counts.count)
            if mean > 0.5 {
                sum += counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / mean
                degrees += Double(counts.count - 1)
            }
        }
        guard degrees >= 5 else { return "assumption: the log is too short to test it" }
        let ratio = sum / degrees
        let pValue = 1 - ChiSquare.cumulative(sum, degreesOfFreedom: degrees)
        return "requests in a minute vary \(LogFit.digits(ratio)) times as much as a Poisson process "
            + (pValue < 0.01
                ? "(more than chance: rates change faster than this, or requests come in groups)"
                : "(no more than chance)")
    }

    mutating func stage(_ index: Int, _ name: String) {
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
            put(
                "      duration: \(fit.yaml)",
                fit.comment + (cut > 0 ? "; \(cut) cut short, by Kaplan and Meier" : "") + Self.sampled(digest.rides)
            )
        } else {
            assume("      duration: 10m", "the log has no whole stage of this name", or: [])
        }
        let (first, later) = refreshes(index)
        let usesLater = later.eventCount >= 50 || later.eventCount >= first.eventCount
        let used = usesLater ? later : first
        // Updates that follow each other at once are not refreshes. If nearly all stages end before a refresh, the few refreshes are
        // the early ones.
        let isFrequent = used.eventCount >= 5 && used.eventCount * 50 >= used.count
        if isFrequent, let fit = LogFit(used.sample(atMost: 20_000, isCertain: true), count: used.eventCount),
            fit.median >= 1e6
        {
            add("rides.stages.\(name).refresh", fit)
            put(
                "      refresh: \(fit.yaml)",
                fit.comment
                    + Self.sampled(usesLater ? digest.refreshes[index] : digest.firstRefreshes[index])
            )
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

    mutating func cancellation() {
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
                + "end first, by Kaplan and Meier" + Self.sampled(digest.rides)
        )
        add("rides.cancellation.share", limit.share, limit.shareInterval, limit.count)
        if let fit = LogFit(limit.sample(atMost: 20_000), count: limit.eventCount) {
            put("    after: \(fit.yaml)", fit.comment)
            add("rides.cancellation.after", fit)
        }
        put("    until_stage: \(QuotedText.doubleQuoted(stages[last].name))", "the last stage with cancellations")
    }

    /// The number of observations below which later events are left out: if many are cut short, the last few events would count for
    /// many.
    static func leastAtRisk(_ observations: [ProductLimit.Observation]) -> Int {
        observations.count { !$0.isEvent } * 20 > observations.count ? max(1, min(20, observations.count / 50)) : 1
    }

    /// The times to the first refresh of a stage and to later ones, without those that an incident interrupts.
    func refreshes(_ index: Int) -> (first: ProductLimit, later: ProductLimit) {
        func limit(_ all: Reservoir<LogDigest.Timing>?) -> ProductLimit {
            let observations = usual(all?.elements ?? [], [.contentDown, .senderPaused])
            return ProductLimit(observations, leastAtRisk: Self.leastAtRisk(observations))
        }
        return (limit(digest.firstRefreshes[index]), limit(digest.refreshes[index]))
    }

    /// Observations that neither begin nor end in an incident of a kind.
    func usual(_ timings: [LogDigest.Timing], _ kinds: Set<Scenario.Fault.Kind>) -> [ProductLimit.Observation] {
        timings.filter { !incidents.cover($0.at, kinds) && !incidents.cover($0.at + $0.time, kinds) }.map(\.observation)
    }
}
