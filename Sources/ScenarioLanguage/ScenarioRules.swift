import Evaluation
import InputFiles
import LiveActivityModel
import Quantities
import TextFormats

/// The rules that involve several values of a scenario.
///
/// A rule is skipped if one of its values has been refused already, so that one mistake gives one message.
struct ScenarioRules {
    /// The number of rides above which a mistake is assumed.
    static let mostRides = 1e9
    /// The number of windows above which a mistake is assumed.
    static let mostWindows: Int64 = 100_000
    /// The number of concurrent requests above which a mistake is assumed.
    static let mostRequests = 10_000_000
    /// The allowed deviation of a sum of shares from 100 %, for shares rounded to a tenth of a percent or finer.
    static let roundingOfShares = 0.001
    /// The largest number of cohorts in cities, which are numbered in a byte.
    static let mostSegments = 250
    /// The number of windows over all cells above which they do not fit into memory.
    static let mostCellWindows: Int64 = 4_000_000

    let scenario: Scenario

    init(_ scenario: Scenario) {
        self.scenario = scenario
    }

    /// Refuses every value that breaks a rule.
    func check(_ reading: inout Reading) {
        checkReplications(&reading)
        checkClock(&reading)
        reading.requireAscending(scenario.measure.ageOver, "measure.age_over")
        reading.requireAscending(scenario.measure.waitOver, "measure.wait_over")
        reading.requireAscending(scenario.measure.etaErrorOver, "measure.eta_error_over")
        checkRides(&reading)
        checkCities(&reading)
        checkCohorts(&reading)
        checkGroups(&reading)
        checkStages(&reading)
        checkRefresh(&reading)
        checkPayload(&reading)
        checkRematching(&reading)
        checkAgain(&reading)
        checkStops(&reading)
        checkStarts(&reading)
        checkAPNs(&reading)
        checkSender(&reading)
        checkMonitor(&reading)
        checkFaults(&reading)
    }

    private func checkReplications(_ reading: inout Reading) {
        let replications = scenario.replications
        let path = "replications.count"
        let isPaired = !replications.antithetic || replications.count.isMultiple(of: 2)
        reading.require(isPaired, path) { "must be even for antithetic pairs, got \(replications.count)" }
        guard let precision = replications.until else { return }
        let least = replications.antithetic ? 4 : 2
        reading.require(replications.count >= least, path) {
            "must be at least \(least) for replications.until, got \(replications.count)"
        }
        reading.require(precision.atMost >= replications.count, "replications.until.at_most", given: path) {
            "must be at least replications.count (\(replications.count)), got \(precision.atMost)"
        }
        let metrics = MetricCatalog(of: scenario).namesWithIntervals
        reading.require(metrics.contains(precision.metric), "replications.until.metric") {
            "must name a metric that has an interval, got \"\(precision.metric)\"; "
                + (Suggestion.nearest(to: precision.metric, among: metrics).map { "did you mean \"\($0)\"?" }
                    ?? "allowed: those with ci_low in summary.csv, scope all, or a cohort as in NAME{cohort:a}")
        }
    }

    private func checkClock(_ reading: inout Reading) {
        let clock = scenario.clock
        reading.require(clock.warmUp < clock.duration, "clock.warm_up", given: "clock.duration") {
            "must be below clock.duration (\(DurationText.text(clock.duration))), got \(DurationText.text(clock.warmUp))"
        }
        let runLength = clock.duration + clock.drain
        let windows = (runLength.microseconds - 1) / clock.window.microseconds + 1
        reading.require(windows <= Self.mostWindows, "clock.window", given: "clock.duration", "clock.drain") {
            "must be longer: it cuts the run into \(windows) windows; allowed: \(Self.mostWindows)"
        }
        let cellWindows = windows * Int64(scenario.cells)
        let fits = windows > Self.mostWindows || cellWindows <= Self.mostCellWindows
        reading.require(fits, "clock.window", given: "clock.duration", "clock.drain", "cells") {
            "must be longer: it makes \(cellWindows) windows in \(scenario.cells) cells; allowed: \(Self.mostCellWindows)"
        }
    }

    private func checkCohorts(_ reading: inout Reading) {
        let cohorts = scenario.cohorts
        for (index, cohort) in cohorts.enumerated() {
            let path = "cohorts.\(index)"
            reading.require(!cohorts[..<index].contains { $0.name == cohort.name }, "\(path).name") {
                "must differ from the names of earlier cohorts, got \"\(cohort.name)\""
            }
            reading.require(cohort.name != Scenario.Cohort.others, "\(path).name") {
                "must not be \"\(Scenario.Cohort.others)\", the name of the rides that belong to no cohort"
            }
            for (step, change) in cohort.rollout.enumerated() {
                reading.require(
                    change.at < scenario.clock.duration,
                    "\(path).rollout.\(step).at",
                    given: "clock.duration"
                ) {
                    "must be before the end of clock.duration (\(DurationText.text(scenario.clock.duration))), after which no ride is "
                        + "requested, got \(DurationText.text(change.at))"
                }
            }
            for (step, pair) in zip(cohort.rollout, cohort.rollout.dropFirst()).enumerated() {
                let (earlier, later) = ("\(path).rollout.\(step).at", "\(path).rollout.\(step + 1).at")
                reading.require(pair.0.at < pair.1.at, later, given: earlier) {
                    "must be after \(earlier) (\(DurationText.text(pair.0.at))), got \(DurationText.text(pair.1.at)): a rollout "
                        + "goes forward"
                }
            }
        }
        let changes = [TimeSpan.zero] + cohorts.flatMap { $0.rollout.map(\.at) }
        for at in Set(changes).sorted() {
            let shares = cohorts.map { $0.share(at: .start + at).fraction }
            guard
                let index = shares.indices.first(where: { shares[...$0].reduce(0, +) > 1 + Self.roundingOfShares / 100 }
                )
            else { continue }
            let sum = NumberText.text((shares.reduce(0, +) * 1e6).rounded() / 1e4)
            let step = cohorts[index].rollout.lastIndex { $0.at <= at }
            let share = step.map { "cohorts.\(index).rollout.\($0).share" } ?? "cohorts.\(index).share"
            reading.require(false, share, given: Array(0..<index).map { "cohorts.\($0)" }) {
                "must leave the shares of all cohorts together at most 100%, got \(sum)% at \(DurationText.text(at)), with "
                    + cohorts[..<index].map { "\"\($0.name)\"" }.joined(separator: ", ")
            }
            break
        }
        let cities = max(1, scenario.rides.arrivals.cities.count)
        let segments = cities * (cohorts.count + 1)
        reading.require(cohorts.isEmpty || segments <= Self.mostSegments, "cohorts", given: "rides.arrivals.cities") {
            "must be fewer: \(cohorts.count) cohorts and the rides without one in \(cities) cities make \(segments) segments; "
                + "allowed: \(Self.mostSegments)"
        }
    }

    private func checkAPNs(_ reading: inout Reading) {
        // Shares later become sums of thresholds, and they may add up to at most 1.
        let sum = scenario.apns.reasons.reduce(0) { $0 + $1.share.fraction }
        reading.require(sum <= 1, "apns.reasons") {
            "must have shares that add up to at most 1, got \(NumberText.text(sum))"
        }
    }

    private func checkSender(_ reading: inout Reading) {
        let sender = scenario.sender
        let requests = sender.connections * sender.streams
        reading.require(requests <= Self.mostRequests, "sender.connections", given: "sender.streams") {
            "must be smaller: with sender.streams it makes \(requests) requests at a time; allowed: \(Self.mostRequests)"
        }
        if sender.preempt != .none {
            let name = sender.preempt.rawValue
            let given = ["apns.latency_from", "apns.capacity"]
            // An interrupted or cancelled request must not already be on its way to a phone, nor in service.
            reading.require(scenario.apns.latencyFrom == .response, "sender.preempt", given: given) {
                "must be none unless apns.latency_from is response, got \(name)"
            }
            let isAlone = scenario.apns.capacity == nil || scenario.apns.latencyFrom != .response
            reading.require(isAlone, "sender.preempt", given: given) {
                "must be none with apns.capacity, got \(name): servers of APNs finish the requests that they have begun"
            }
        }
        let budgets = [
            ("sender.retry_budget", sender.retryBudget), ("monitor.retry.budget", scenario.monitor.retry.budget),
        ]
        for (path, budget) in budgets {
            guard let budget else { continue }
            // The sum is in thousandths, in which both are stored: in binary, 1.719 + 1 is more than 2.719.
            let isUsable = (budget.reserve * 1000).rounded() + 1000 <= (budget.capacity * 1000).rounded()
            reading.require(isUsable, "\(path).reserve", given: "\(path).capacity") {
                "must leave room for a retry in \(path).capacity (\(NumberText.text(budget.capacity))), got \(NumberText.text(budget.reserve))"
            }
        }
    }

    private func checkStarts(_ reading: inout Reading) {
        let (start, content) = (scenario.devices.start, scenario.content)
        let uses = [
            ("devices.start.push_budget", start.pushBudget != nil),
            ("devices.start.token_rotation", start.tokenRotation != nil),
            ("devices.start.presents_stale", !start.presentsStale),
            ("devices.start.without_alert", start.withoutAlert != .never),
            ("devices.token.never_after_push", scenario.devices.token.neverAfterPush != nil),
        ]
        for (path, isUsed) in uses {
            reading.require(!isUsed || scenario.hasPushStarts, path, given: "devices.start.by", "content.renew_before")
            {
                "needs starts by push, but devices.start.by is app and content.renew_before is off"
            }
        }
        reading.require(
            !start.schedules || scenario.rides.booked != nil,
            "devices.start.schedules",
            given: "rides.booked"
        ) {
            "needs rides.booked, which is off: an app schedules cards only for rides that are booked ahead"
        }
        let isAlone = start.foreground == nil || start.background == .never
        reading.require(isAlone, "devices.start.background", given: "devices.start.foreground") {
            "must be 0 with devices.start.foreground, got \(NumberText.text(start.background.fraction)): the spans decide"
        }
        let limit = scenario.devices.systemLimit
        reading.require(
            content.renewBefore.map { $0 < limit } ?? true,
            "content.renew_before",
            given: "devices.system_limit"
        ) {
            "must be below devices.system_limit (\(DurationText.text(limit))), got "
                + DurationText.text(content.renewBefore ?? .zero)
        }
    }

    private func checkMonitor(_ reading: inout Reading) {
        let monitor = scenario.monitor
        reading.requireOrder(monitor.retry.schedule ?? [], "monitor.retry.schedule")
        reading.requireOrder(monitor.endSchedule, "monitor.end_schedule")
        let backoff = monitor.retry.backoff
        reading.require(backoff.base <= backoff.cap, "monitor.retry.backoff.cap", given: "monitor.retry.backoff.base") {
            "must be at least monitor.retry.backoff.base (\(DurationText.text(backoff.base))), "
                + "got \(DurationText.text(backoff.cap))"
        }
    }

    private func checkFaults(_ reading: inout Reading) {
        let runLength = scenario.clock.duration + scenario.clock.drain
        let end = DurationText.text(runLength)
        for (index, fault) in scenario.faults.enumerated() {
            let path = "faults.\(index)"
            let clock = ["clock.duration", "clock.drain"]
            reading.require(fault.at < runLength, "\(path).at", given: clock) {
                "must be before the end of the run (\(end)), got \(DurationText.text(fault.at))"
            }
            let isInside = fault.at >= runLength || fault.at + fault.duration <= runLength
            reading.require(isInside, "\(path).duration", given: clock + ["\(path).at"]) {
                "must end the fault within the run (\(end)), got \(DurationText.text(fault.duration))"
            }
            let lasts = fault.duration > .zero
            reading.require(lasts != (fault.kind == .connectionLost), "\(path).duration", given: "\(path).kind") {
                lasts ? "must be left out: connection_lost is an instant" : "must be above 0s"
            }
            let factor = NumberText.text(fault.factor)
            switch fault.kind {
            case .apnsSlow, .contentSlow:
                reading.require(fault.factor >= 1, "\(path).factor", given: "\(path).kind") {
                    "must be at least 1, got \(factor): \(fault.kind.rawValue) multiplies the duration of requests"
                }
                let isEffective = fault.kind == .apnsSlow || scenario.content.endpoint != nil
                reading.require(isEffective, "\(path).kind", given: "content.endpoint") {
                    "must be another kind: without content.endpoint, content takes no time"
                }
            case .apnsCapacity:
                reading.require(fault.factor <= 1, "\(path).factor", given: "\(path).kind") {
                    "must be at most 1, got \(factor): apns_capacity keeps this share of the speed"
                }
                reading.require(scenario.apns.capacity != nil, "\(path).kind", given: "apns.capacity") {
                    "must be another kind: without apns.capacity there are no servers to slow down"
                }
            default:
                reading.require(fault.factor == 1, "\(path).factor", given: "\(path).kind") {
                    "must be left out: only apns_slow, content_slow and apns_capacity have a factor"
                }
            }
            reading.require(fault.share == .always || fault.kind.hasShare, "\(path).share", given: "\(path).kind") {
                "must be left out: \(fault.kind.rawValue) affects everything"
            }
        }
    }
}

extension Scenario.Fault.Kind {
    /// `true` if a fault of this kind can affect only a part.
    fileprivate var hasShare: Bool {
        switch self {
        case .apnsSilent, .apnsUnavailable, .connectionLost, .devicesOffline: true
        case .apnsSlow, .apnsCapacity, .senderPaused, .monitorPaused, .contentDown, .contentSlow, .tokenPostDown: false
        }
    }
}

extension Reading {
    /// Refuses the value at a path if a rule does not hold.
    mutating func require(
        _ holds: Bool,
        _ path: String,
        given others: String...,
        message: () -> String
    ) {
        require(holds, path, given: others, message: message)
    }

    mutating func require(_ holds: Bool, _ path: String, given others: [String], message: () -> String) {
        guard !holds, !isRefused(path), !others.contains(where: isRefused) else { return }
        refuse(path, message(), besides: others)
    }

    /// Refuses the first threshold that is not above the previous one.
    mutating func requireAscending(_ spans: [TimeSpan], _ path: String) {
        refuseFirst(spans, path, "must be after") { $0 >= $1 }
    }

    /// Refuses the first scheduled time that is before the previous one; two may be equal.
    mutating func requireOrder(_ spans: [TimeSpan], _ path: String) {
        refuseFirst(spans, path, "must not be before") { $0 > $1 }
    }

    private mutating func refuseFirst(
        _ spans: [TimeSpan],
        _ path: String,
        _ demand: String,
        isWrong: (TimeSpan, TimeSpan) -> Bool
    ) {
        guard !isRefused(path),
            let index = spans.indices.dropFirst().first(where: { isWrong(spans[$0 - 1], spans[$0]) })
        else { return }
        let (earlier, later) = (DurationText.text(spans[index - 1]), DurationText.text(spans[index]))
        refuse("\(path).\(index)", "\(demand) \(earlier), got \(later)")
    }
}
