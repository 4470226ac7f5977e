import LiveActivityModel
import Statistics

/// Activities and their tokens.
extension LogCalibration {
    mutating func devices() {
        put("devices:")
        let hasStarts = digest.hasStarts
        let started = ProductLimit(
            usual(
                hasStarts
                    ? digest.startDelays.elements
                    : digest.tokenDelayOutcomes.elements + digest.startDelays.elements.filter { !$0.isEvent },
                [.contentDown, .devicesOffline]
            )
        )
        if started.eventCount > 0 {
            put(
                "  activities_enabled: \(Self.percent(started.share))",
                "n = \(started.count), \(started.eventCount) \(hasStarts ? "started" : "posted a token"); 95 %: "
                    + Self.percents(started.shareInterval)
                    + (hasStarts ? Self.sampled(digest.startDelays) : Self.sampled(digest.tokenDelayOutcomes))
            )
            add("devices.activities_enabled", started.share, started.shareInterval, started.count)
        } else {
            assume(
                "  activities_enabled: 100%",
                "the log has no start of an activity and no token",
                or: ["devices.activities_enabled=90%", "devices.activities_enabled=70%"]
            )
        }
        put("  start:")
        put("    by: app")
        if hasStarts, let fit = LogFit(started.sample(atMost: 20_000), count: started.eventCount) {
            put(
                "    time: \(fit.yaml)",
                fit.comment + "; failed attempts are part of it" + Self.sampled(digest.startDelays)
            )
            add("devices.start.time", fit)
        }
        let tokens = ProductLimit(usualTokenDelays)
        let outcomes = ProductLimit(usual(digest.tokenDelayOutcomes.elements, [.tokenPostDown, .devicesOffline]))
        put("  token:")
        if hasStarts {
            let never = max(0, 1 - outcomes.share)
            let range = max(0, 1 - outcomes.shareInterval.upperBound)...max(0, 1 - outcomes.shareInterval.lowerBound)
            put(
                "    never: \(Self.percent(never))",
                "n = \(outcomes.count); 95 %: \(Self.percents(range))" + Self.sampled(digest.tokenDelayOutcomes)
            )
            add("devices.token.never", never, range, outcomes.count)
        }
        if let fit = LogFit(tokens.sample(atMost: 20_000), count: tokens.eventCount) {
            put(
                "    delay: \(fit.yaml)",
                fit.comment + "; from the \(hasStarts ? "start" : "request") to the post, with failed posts"
                    + Self.sampled(digest.tokenDelays)
            )
            add("devices.token.delay", fit)
        } else if !hasStarts {
            assume("    never: 0%", "the log has no token", or: ["devices.token.never=1%", "devices.token.never=5%"])
        }
        if incidents.incidents.contains(where: { $0.kind == .tokenPostDown }) {
            assume(
                "    post_attempts: 100",
                "apps repeat posts until they succeed; the log shows only those that did",
                or: ["devices.token.post_attempts=3", "devices.token.post_attempts=10"]
            )
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
            assume(
                "  initial_content_limit: off",
                "the log has no ends that apps reported, so none is modelled",
                or: Self.otherLimits
            )
        } else {
            assume(
                "  initial_content_limit: off",
                "too few of the ends that apps report gather at one age of activities to show a limit",
                or: Self.otherLimits
            )
        }
        let early = ProductLimit(ends, leastAtRisk: max(20, ends.count / 20))
        if early.eventCount > 0 {
            put("  swipe:")
            put(
                "    share: \(Self.percent(early.share))",
                "n = \(early.count), \(early.eventCount) ended during the ride by the app's report; 95 %: "
                    + "\(Self.percents(early.shareInterval)); all count as swipes, because the log does not distinguish them from ends by iOS"
                    + Self.sampled(digest.earlyEnds, digest.initialEnds)
            )
            add("devices.swipe.share", early.share, early.shareInterval, early.count)
            if let fit = LogFit(early.sample(atMost: 20_000), count: early.eventCount) {
                put("    after: \(fit.yaml)", fit.comment + "; from the start")
            }
        }
        assume(
            "devices.connectivity, devices.budget: phones are online and take every push; no server's log shows them",
            or: [
                "devices.connectivity={online: {exponential: {mean: 10m}}, offline: {exponential: {mean: 30s}}}",
                "devices.connectivity={online: {exponential: {mean: 10m}}, offline: {exponential: {mean: 2m}}}",
            ]
        )
        put()
    }

    private static var otherLimits: [String] {
        ["devices.initial_content_limit=3m", "devices.initial_content_limit=1m"]
    }

    /// The age at which apps end activities without an update, if ends come together at one age; and the other ends.
    ///
    /// The observation of an activity without an update ends at that age, also if its phone reports the end much later.
    var initialLimit: (limit: (at: Int64, count: Int)?, ends: [ProductLimit.Observation]) {
        let initial = digest.initialEnds.elements.map(\.observation)
        let updated = digest.earlyEnds.elements.map(\.observation)
        let times = (initial + updated).filter(\.isEvent).map(\.time).sorted()
        var best = (first: 0, count: 0)
        var first = 0
        for last in times.indices {
            while times[last] - times[first] > 4_000_000 { first += 1 }
            if last - first + 1 > best.count { best = (first, last - first + 1) }
        }
        // The ends of swipes are spread; those of a limit are not.
        let near = times.count { abs($0 - (times.isEmpty ? 0 : times[best.first])) < 30_000_000 }
        let least = max(8, initial.count(where: \.isEvent) / 5)
        guard !times.isEmpty, best.count >= least, best.count * 3 > near * 2,
            times[best.first] > 20_000_000
        else {
            return (nil, initial + updated)
        }
        // An app reports its end a little later. A few others swipe just before.
        let at = times[best.first + best.count / 20] / 1_000_000 * 1_000_000
        // APNs accepted updates for others that their phones did not get in time.
        let killed = at...times[best.first + best.count - 1]
        let rest =
            initial.map { $0.time < at ? $0 : ProductLimit.Observation(time: at, isEvent: false) }
            + updated.map { killed.contains($0.time) ? ProductLimit.Observation(time: at, isEvent: false) : $0 }
        return ((at, best.count), rest)
    }

    /// The delays of tokens outside of stretches in which none came, or all came late.
    var usualTokenDelays: [ProductLimit.Observation] {
        digest.tokenDelays.elements
            .filter { incidents.isUsualToken($0.at) }
            .map { .init(time: $0.value, isEvent: true) }
    }
}
