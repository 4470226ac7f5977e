import LiveActivityModel
import Statistics

/// The way of pushes from the request to the screen, as far as reports of apps show it.
///
/// An app may stamp its reports by the clock of its phone. A phone is left out if it shows a push before its request, or if even its
/// fastest push takes longer than 95 % of all. If these are more than a tenth, clocks differ in general. Then only the times of a phone
/// relative to their median are known.
struct LogScreens {
    /// The losses of a priority.
    struct Losses {
        private(set) var lost = 0
        private(set) var count = 0

        fileprivate mutating func add(_ isLost: Bool) {
            count += 1
            if isLost { lost += 1 }
        }
    }

    /// The number of activities with reports.
    private(set) var activities = 0
    /// The number of activities on phones whose clock is off.
    private(set) var offClocks = 0
    /// The number of reports with a time before that of their request.
    private(set) var early = 0
    /// Times from requests to the screen; that of a push which a newer one has overtaken is longer than observed.
    private(set) var times: [ProductLimit.Observation] = []
    /// The number of times that are negative by the estimated clock of their phone, and left out.
    private(set) var negative = 0
    /// The losses of pushes of high priority, and of the others.
    private(set) var immediate = Losses()
    private(set) var considerate = Losses()

    /// `true` if the clocks of phones differ so often that no clock is known to be right.
    var clocksDiffer: Bool { 10 * offClocks > activities }

    /// The number of times of a phone from which on they show its clock.
    private static let leastTimes = 4
    /// The step of the timestamps by which a phone finds newer content [µs].
    private static let timestamp: Int64 = 1_000_000

    /// Measures the activities of a log.
    ///
    /// - Parameter isUsual: `true` for a time of a request outside of incidents.
    init(_ screens: [[LogDigest.ScreenPush]], isUsual: (Int64) -> Bool) {
        let times = screens.map { $0.compactMap { isUsual($0.at) ? $0.time : nil }.sorted() }
        let pooled = times.joined().filter { $0 >= 0 }.sorted()
        guard !pooled.isEmpty else { return }
        let high = Self.quantile(0.95, of: pooled)
        func isOff(_ times: [Int64]) -> Bool {
            guard let least = times.first else { return false }
            return least < 0 || times.count >= Self.leastTimes && least > high
        }
        activities = times.count { !$0.isEmpty }
        offClocks = times.count(where: isOff)
        early = times.joined().count { $0 < 0 }
        // The clock of the median phone counts as right if clocks differ.
        let known = times.map { clocksDiffer ? $0.count >= Self.leastTimes : !isOff($0) }
        let middles = zip(times, known).filter { $1 && !$0.isEmpty }.map { Self.quantile(0.5, of: $0.0) }.sorted()
        guard !middles.isEmpty else { return }
        let middle = Self.quantile(0.5, of: middles)
        let phones = zip(zip(screens, times), known).filter { $1 && !$0.1.isEmpty }
            .map { (pushes: $0.0.0, ahead: clocksDiffer ? Self.quantile(0.5, of: $0.0.1) - middle : 0) }
        let shown =
            phones.flatMap { phone in
                phone.pushes.compactMap { isUsual($0.at) ? $0.time.map { $0 - phone.ahead } : nil }
            }
            .sorted()
        let (median, horizon) = (
            Self.quantile(0.5, of: shown), max(Self.timestamp, 8 * Self.quantile(0.9, of: shown))
        )
        for (pushes, ahead) in phones {
            measureTimes(of: pushes.filter { isUsual($0.at) }, ahead, horizon)
            measureLosses(of: pushes, ahead, median, horizon, isUsual)
        }
    }

    private static func quantile(_ share: Double, of ascending: [Int64]) -> Int64 {
        ascending[min(ascending.count - 1, Int(share * Double(ascending.count)))]
    }

    private mutating func measureTimes(of pushes: [LogDigest.ScreenPush], _ ahead: Int64, _ horizon: Int64) {
        for (index, push) in pushes.enumerated() {
            if let time = push.time {
                if time >= ahead { times.append(.init(time: time - ahead, isEvent: true)) } else { negative += 1 }
            } else if push.isAccepted, !push.isEnd,
                let newer = pushes[(index + 1)...].first(where: { $0.time != nil })
            {
                // After the horizon, it is lost.
                let time = newer.shownAt - ahead - push.at
                if (0...horizon).contains(time) { times.append(.init(time: time, isEvent: false)) }
            }
        }
    }

    /// Counts accepted pushes that a phone must have shown, and those that it did not show.
    ///
    /// The pushes before and after it were shown, so the app did not show newer content without a push. The next push was shown so soon
    /// after its request that the phone was online, and so late after this request that it overtook nothing. No token came in between.
    /// The content is newer than the last, which APNs accepted, so it repeats nothing. No condition depends on the fate of the push, so
    /// the share is unbiased if pushes are lost independently of each other.
    private mutating func measureLosses(
        of pushes: [LogDigest.ScreenPush],
        _ ahead: Int64,
        _ median: Int64,
        _ horizon: Int64,
        _ isUsual: (Int64) -> Bool
    ) {
        for (last, (push, next)) in zip(pushes, zip(pushes.dropFirst(), pushes.dropFirst(2))) {
            guard last.isAccepted, last.time != nil, push.content - last.content >= Self.timestamp, push.isAccepted,
                !push.isEnd, !push.precedesToken, let time = next.time, time - ahead <= median,
                next.shownAt - ahead - push.at > horizon, next.content > push.content,
                [last, push, next].allSatisfy({ isUsual($0.at) })
            else { continue }
            let isLost = push.time == nil
            if push.priority >= 10 { immediate.add(isLost) } else { considerate.add(isLost) }
        }
    }
}
