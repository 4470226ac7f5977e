import LiveActivityModel
import Statistics

/// Stretches in which events do not come that are expected from others.
extension LogIncidents {
    /// The number of bins after which a late event no longer counts.
    private static let kernelLength = 24

    /// The events that are expected in each bin, if each cause has at most one, after a delay like those of a sample.
    private func expected(_ causes: [Int], share: Double, delays: [Int64]) -> [Double] {
        var kernel = [Double](repeating: 0, count: Self.kernelLength)
        for delay in delays { kernel[min(Self.kernelLength - 1, Int(delay / digest.binLength))] += 1 }
        for index in kernel.indices { kernel[index] *= share / Double(max(1, delays.count)) }
        var expected = [Double](repeating: 0, count: bins.count)
        for (index, count) in causes.enumerated() where count > 0 {
            for (lag, share) in kernel.enumerated() where index + lag < bins.count {
                expected[index + lag] += Double(count) * share
            }
        }
        return expected
    }

    private func sum(_ part: KeyPath<LogDigest.Bin, Int>) -> Int { bins.reduce(0) { $0 + $1[keyPath: part] } }

    private func range(_ incident: Incident) -> Range<Int> { bin(incident.from)..<bin(incident.until) }

    private func bin(_ time: Int64) -> Int {
        min(bins.count, max(0, Int((time - digest.origin) / digest.binLength)))
    }

    /// Stretches without first tokens, although activities start.
    func tokens() -> [Incident] {
        let delays = digest.tokenDelays.elements.map(\.value)
        guard delays.count >= 20 else { return [] }
        let yield = min(1, Double(sum(\.tokens)) / Double(max(1, sum(\.starts))))
        let wanted = expected(bins.map(\.starts), share: yield, delays: delays)
        return absences(.tokenPostDown, wanted, bins.map(\.tokens))
            .map { isOffline($0) ? $0.with(.devicesOffline) : $0 }
    }

    /// Returns `true` if apps do not report the ends of activities either: their phones are offline.
    private func isOffline(_ incident: Incident) -> Bool {
        let range = range(incident)
        let share = Double(sum(\.reports)) / Double(max(1, sum(\.firstEnds)))
        let wanted = share * Double(bins[range].reduce(0) { $0 + $1.firstEnds })
        return wanted >= 8 && Double(bins[range].reduce(0) { $0 + $1.reports }) < 0.1 * wanted
    }

    /// The updates that are expected in each bin from the time for which they were due in each stage.
    ///
    /// After an outage the sender has given up many activities. So fewer updates are no pause.
    private var expectedUpdates: [Double] {
        var expected = [Double](repeating: 0, count: bins.count)
        for (stage, times) in digest.exposure {
            let sum = times.reduce(0) { $0 + Double($1) }
            guard sum > 0 else { continue }
            let rate = Double(digest.updatesByStage[stage] ?? 0) / sum
            for (bin, time) in times.enumerated() where bin < bins.count { expected[bin] += rate * Double(time) }
        }
        return expected
    }

    /// Stretches without updates or starts, although rides are in progress or requested.
    ///
    /// Without content there are neither. Apps fetch content to start, so starts go on while the sender pauses. If the server learns of
    /// starts only from phones, there are none while phones are offline, but updates are sent.
    func contents() -> [Incident] {
        let updates = expectedUpdates
        let delays = digest.startDelays.elements.filter(\.isEvent).map(\.time)
        let starting = Double(sum(\.starts)) / Double(max(1, sum(\.requests)))
        let starts = expected(bins.map(\.requests), share: min(1, starting), delays: delays)
        /// Without requests of rides either, the log has a gap.
        func isGap(_ incident: Incident) -> Bool {
            let range = range(incident)
            return range.count >= 12 && bins[range].allSatisfy { $0.requests == 0 }
        }
        let silent = absences(.contentDown, updates, bins.map(\.updates)).filter { !isGap($0) }
        guard delays.count >= 20 else { return silent.map { isPause($0, starting) ? $0.with(.senderPaused) : $0 } }
        let pauses = silent.filter { isPause($0, starting) }.map { $0.with(.senderPaused) }
        func meets(_ others: [Incident], _ incident: Incident) -> Bool {
            others.contains { $0.from < incident.until && incident.from < $0.until }
        }
        // Both kinds of events together show more than each alone.
        let both = absences(
            .contentDown,
            zip(updates, starts).map(+),
            bins.map { $0.updates + $0.starts }
        )
        .filter { !isGap($0) && !meets(pauses, $0) }
        let down = both + silent.filter { !isPause($0, starting) && !meets(both, $0) }
        let offline = absences(.devicesOffline, starts, bins.map(\.starts))
            .filter { incident in
                let range = range(incident)
                let (sent, wanted) = (
                    bins[range].reduce(0) { $0 + $1.updates }, updates[range].reduce(0, +)
                )
                return !isGap(incident) && !meets(down, incident) && wanted >= 3 && Double(sent) > 0.3 * wanted
            }
        return pauses + down + offline
    }

    /// Returns `true` if the sender sends later what was generated meanwhile, or starts go on.
    private func isPause(_ incident: Incident, _ starting: Double) -> Bool {
        let part = bins[range(incident)]
        let requests = part.reduce(0) { $0 + $1.requests }
        let contents = part.reduce(0) { $0 + $1.contents }
        return Double(contents) > 0.2 * Double(incident.count)
            || Double(part.reduce(0) { $0 + $1.starts }) > 0.4 * starting * Double(requests)
    }

    /// Stretches without ends of activities, although rides end, while updates are sent: the monitor pauses.
    func monitorPauses() -> [Incident] {
        guard let wanted = expectedEnds else { return [] }
        return whileUpdating(absences(.monitorPaused, wanted, bins.map(\.firstEnds)))
    }

    /// The first ends that are expected in each bin; nil if few are known.
    private var expectedEnds: [Double]? {
        // Ends that waited for the end of a pause say nothing about usual delays.
        let delays = (digest.endDelays[0]?.elements ?? []).filter { $0 < 60_000_000 }
        guard delays.count >= 20 else { return nil }
        let share = min(1, Double(sum(\.firstEnds)) / Double(max(1, sum(\.endings))))
        return expected(bins.map(\.endings), share: share, delays: delays)
    }

    /// Returns the incidents during which updates are sent.
    private func whileUpdating(_ incidents: [Incident]) -> [Incident] {
        let updates = expectedUpdates
        return incidents.filter { incident in
            let range = range(incident)
            let sent = Double(bins[range].reduce(0) { $0 + $1.updates })
            return sent > 0.3 * updates[range].reduce(0, +)
        }
    }

    /// Stretches without first attempts to recover activities, although content stays stale for longer than the monitor usually waits.
    ///
    /// - Parameter others: The incidents that have other reasons for late attempts.
    func pausesOfAttempts(apartFrom others: [Incident]) -> [Incident] {
        let delays = digest.retryDelays.elements.sorted()
        guard delays.count >= 20 else { return [] }
        let (limit, scan) = LogCalibration.onset(delays)
        let latest = limit + Int64(1.1 * scan) + digest.binLength
        var (late, due) = (bins.map { _ in 0 }, bins.map { _ in 0 })
        for lapse in digest.lapses.elements where lapse.isEvent || lapse.time > latest {
            // New content, or the end of the ride, often comes first.
            let bin = digest.index(lapse.at + limit + Int64(scan / 2))
            guard bins.indices.contains(bin) else { continue }
            due[bin] += 1
            if lapse.time > latest { late[bin] += 1 }
        }
        let ends = expectedEnds
        let found = excesses(of: late, among: due).filter { 10 * $0.yes > 9 * $0.all }
            .map { excess in
                var found = incident(.monitorPaused, excess.stretch, size: nil, interval: nil, count: excess.yes)
                let (sent, wanted) = (
                    bins[excess.stretch.bins].reduce(0) { $0 + $1.firstEnds },
                    ends.map { $0[excess.stretch.bins].reduce(0, +) } ?? 0
                )
                found.endsGoOn = wanted >= 3 && Double(sent) > 0.5 * wanted
                return found
            }
        return whileUpdating(found)
            .filter { found in
                !others.contains { $0.from < found.until && found.from - Self.backlog < $0.until }
                    && !digest.gaps.contains {
                        $0.lowerBound < found.until && found.from - Self.backlog < $0.upperBound
                    }
            }
    }

    /// The time after another incident in which late attempts may be its consequence [µs].
    private static let backlog: Int64 = 60_000_000

    /// Stretches in which events that are expected do not come.
    private func absences(_ kind: Scenario.Fault.Kind, _ expected: [Double], _ observed: [Int]) -> [Incident] {
        let factor = 0.02
        let stretches = ScanStatistic.stretches(count: bins.count, amounts: 1, least: least) { bin, _ in
            ScanStatistic.gain(count: observed[bin], expected: expected[bin], factor: factor)
        }
        return stretches.compactMap { stretch in
            // A log that ends, or begins, without events has no incident there.
            guard stretch.bins.upperBound < bins.count, stretch.bins.lowerBound > 0 else { return nil }
            let count = expected[stretch.bins].reduce(0, +)
            return incident(kind, stretch, size: nil, interval: nil, count: Int(count.rounded()))
        }
    }
}
