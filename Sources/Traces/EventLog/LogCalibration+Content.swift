import Statistics

/// Content and its stale dates.
extension LogCalibration {
    mutating func content() {
        put("content:")
        if let fit = LogFit(digest.ttls.elements) {
            timeToStale(fit)
        } else {
            assume("  ttl: 2m", "the log has no stale dates", or: ["content.ttl=1m", "content.ttl=5m"])
        }
        if digest.contentCount > 0 {
            let share = Double(digest.withoutStaleDate) / Double(digest.contentCount)
            let interval = WilsonInterval(share: share, of: Double(digest.contentCount)).range
            if digest.hasStaleDates {
                put(
                    "  stale_date_missing: \(Self.percent(share))",
                    "n = \(digest.contentCount); 95 %: \(Self.percents(interval))"
                )
                add("content.stale_date_missing", share, interval, digest.contentCount)
            }
        }
        let (ratio, count) = restart
        if let ratio, ratio <= 0.75, hasStageWithoutRefresh {
            put(
                "  refresh_restarts_at_state_change: true",
                "the first refresh of a stage takes \(LogFit.digits(ratio)) times as long as the next (n = \(count)), so refreshes "
                    + "do not wait for stages; but a stage without refreshes would hold the next one's"
            )
        } else if let ratio {
            put(
                "  refresh_restarts_at_state_change: \(ratio > 0.75)",
                "the first refresh of a stage takes \(LogFit.digits(ratio)) times as long as the next; n = \(count)"
            )
        } else {
            assume(
                "  refresh_restarts_at_state_change: true",
                "too few refreshes follow a stage change",
                or: ["content.refresh_restarts_at_state_change=false"]
            )
        }
        tokenContent()
        for (index, key) in ["state_change_priority", "refresh_priority"].enumerated() {
            let (low, high) = (digest.priorities[index][0], digest.priorities[index][1])
            put("  \(key): \(low > high ? 5 : 10)", "n = \(low + high), \(max(low, high)) of them")
        }
        put()
    }

    /// The time from content to its stale date; the model has one, and the server may have several.
    private mutating func timeToStale(_ fit: LogFit) {
        let ttls = digest.ttls.elements.sorted()
        let near = ttls.count { Double($0 - Int64(fit.median)).magnitude <= 0.02 * fit.median }
        let text = LogFit.text(fit.median)
        let source = "the median of stale date minus content, n = \(digest.ttls.count)"
        add("content.ttl", fit.median, fit.medianInterval, fit.count)
        guard near * 10 < ttls.count * 9 else {
            put("  ttl: \(text)", source)
            return
        }
        let (low, high) = (ttls[ttls.count / 20], ttls[ttls.count - 1 - ttls.count / 20])
        let spread = "from \(LogFit.text(Double(low))) to \(LogFit.text(Double(high))) in nine of ten contents"
        put("  ttl: \(text)", source + "; it varies, \(spread)")
        assume(
            "content.ttl: all contents have the median, \(text); in the log it varies, \(spread)",
            or: [low, high].map { "content.ttl=\(LogFit.text(Double($0)))" }
        )
    }

    /// The server's answer to a token: many send content to each at once, others wait for news.
    mutating func tokenContent() {
        let (answered, count) = (digest.tokensAnswered, digest.tokensReceived)
        guard count >= 5 else {
            assume(
                "  sent_on_new_token: false",
                "the log has hardly any tokens",
                or: ["content.sent_on_new_token=true"]
            )
            return
        }
        let share = Double(answered) / Double(count)
        let interval = WilsonInterval(share: share, of: Double(count)).range
        put(
            "  sent_on_new_token: \(share > 0.5)",
            "an update followed \(Self.percent(share)) of \(count) tokens within 0.5 s; 95 %: \(Self.percents(interval))"
        )
    }

    /// `true` if there is a stage in which no ride has a refresh.
    private var hasStageWithoutRefresh: Bool {
        stages.contains { index, _ in
            let (first, later) = refreshes(index)
            return first.eventCount + later.eventCount == 0
        }
    }

    /// The ratio of the times to the first and to later refreshes of a stage.
    var restart: (ratio: Double?, count: Int) {
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
}

extension ProductLimit {
    /// The quantile of the times to an event; nil if there is none.
    fileprivate func quantile(_ probability: Double) -> Int64? {
        steps.first { $0.share >= probability * share }?.time
    }
}
