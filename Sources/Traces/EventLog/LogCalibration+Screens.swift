import Statistics

/// The way from APNs to the screen, which only apps can report.
extension LogCalibration {
    /// The number of observations from which on they count.
    private static let leastReports = 20

    mutating func screenLatency() {
        func assumed(_ why: String, _ latency: String = "{lognormal: {median: 620ms, p95: 2s}}") {
            assume(
                "  latency: \(latency)",
                why,
                or: ["apns.latency=100ms", "apns.latency={lognormal: {median: 2s, p95: 10s}}"]
            )
        }
        let source = "one app's figures (Apple's forums, thread 825224)"
        guard digest.shownCount > 0 else {
            assumed("no server sees delivery; \(source)")
            return
        }
        let times = ProductLimit(screens.times)
        guard times.eventCount >= Self.leastReports,
            let fit = LogFit(times.sample(atMost: 20_000), count: times.eventCount)
        else {
            assumed(
                "\(times.eventCount) reports of apps state how long a push took, too few to calibrate it; \(source)"
            )
            return
        }
        if max(digest.resolution, digest.reportResolution) >= 1_000_000 {
            assumed("the log's times of pushes or of reports are whole seconds; \(source)")
        } else if screens.clocksDiffer, 20 * screens.negative > fit.count {
            assumed("\(clocksOfPhones), by too much to estimate it; \(source)")
        } else if screens.clocksDiffer {
            assumed(
                "\(clocksOfPhones), so this takes the clock of the median phone to be right, n = \(fit.count); the median of others may "
                    + "be off by as much as their clocks",
                fit.yaml
            )
        } else {
            put(
                "  latency: \(fit.yaml)",
                fit.comment + "; from the request to the report of the app, with the time for which phones were off"
                    + (screens.offClocks > 0 ? "; without the \(screens.offClocks) whose clocks are off" : "")
                    + "; the log cannot show a time by which all clocks of phones are off"
            )
            add("apns.latency", fit)
        }
    }

    mutating func screenLoss() {
        guard digest.shownCount > 0 else {
            assumeNoLoss("no server sees whether a push arrived")
            return
        }
        let measured = [("loss", screens.immediate, "10"), ("considerate_loss", screens.considerate, "5 or less")]
            .filter { $0.1.count >= Self.leastReports }
        guard let first = measured.first else {
            let count = screens.immediate.count + screens.considerate.count
            assumeNoLoss(
                "\(count) accepted pushes came between two that the phone showed at once, too few to measure losses"
            )
            return
        }
        for (key, losses, priority) in measured {
            // Without a loss of its own, a priority has that of the other.
            let key = measured.count == 1 ? "loss" : key
            let share = Double(losses.lost) / Double(losses.count)
            let interval = WilsonInterval(share: share, of: Double(losses.count)).range
            put(
                "  \(key): \(Self.percent(share))",
                "\(losses.lost) of \(losses.count) of priority \(priority) were never shown, although the pushes before and after were; 95 %: "
                    + Self.percents(interval)
                    + (key == first.0 || measured.count == 1
                        ? "; lost on the way, ignored by the phone, or without a report: the log does not distinguish them"
                        : "")
            )
            add("apns.\(key)", share, interval, losses.count)
        }
    }

    private mutating func assumeNoLoss(_ why: String) {
        assume("  loss: 0%", why, or: ["apns.loss=1%", "apns.loss=5%"])
    }

    /// The finding about clocks of phones, in words.
    var clocksOfPhones: String {
        "the clocks of phones differ: those of \(screens.offClocks) of \(screens.activities) activities are off, "
            + "and \(screens.early) reports are earlier than their pushes"
    }
}
