import LiveActivityModel

/// The causes for which content waits until its first request.
extension LogCalibration {
    /// A time between content and requests that many updates share, whatever the load: clocks that differ.
    struct Offset {
        /// The middle of the times [µs]; negative if requests seem to begin before their content.
        let time: Int64
        /// The range of the times [µs].
        let range: ClosedRange<Int64>
        /// The share of updates with it.
        let share: Double
        /// The index of the file that has all of them; nil if several have.
        let file: Int?

        /// The finding in words.
        func sentence(files: [String]) -> String {
            let place =
                file.flatMap { files.count > 1 && files.indices.contains($0) ? ", all in \(files[$0])" : nil } ?? ""
            return
                "\(LogCalibration.percent(share)) of the updates were sent \(LogFit.text(Double(abs(time)))) \(time < 0 ? "before" : "after") their content, "
                + "whatever the load\(place); the clock of their sender is probably \(time < 0 ? "behind" : "ahead"), and times between "
                + "its rows and others are wrong by that"
        }
    }

    /// The cause of waits.
    enum WaitCause {
        /// Content hardly waits.
        case none
        /// Content waits while most of the sender's requests are in flight: the mean wait [µs].
        case fullSender(mean: Double)
        /// Content waits at other times, too: the mean wait [µs].
        case unknown(mean: Double)
    }

    /// The shortest wait that counts [µs].
    private var leastWait: Int64 { max(50_000, 2 * digest.resolution) }

    /// Waits without those for the end of a pause, which say nothing about the sender's size.
    private var usualWaits: [LogDigest.Wait] {
        digest.waits.elements.filter { !incidents.cover($0.at, [.senderPaused], margin: 60_000_000) }
    }

    /// The time that most of the longer waits share; nil if they vary, as waits for a full sender do.
    var offset: Offset? {
        let waits = usualWaits
        let long = waits.filter { abs($0.time) > leastWait }.sorted { $0.time < $1.time }
        guard long.count >= 20, long.count * 100 >= waits.count else { return nil }
        var (best, last) = (0..<0, 0)
        for first in long.indices {
            let reach = max(2 * digest.resolution, abs(long[first].time) / 10)
            last = max(last, first)
            while last < long.count, long[last].time - long[first].time <= reach { last += 1 }
            if last - first > best.count { best = first..<last }
        }
        guard best.count * 10 >= long.count * 7, best.count >= 20 else { return nil }
        let alike = long[best]
        let files = Set(alike.map(\.file))
        return Offset(
            time: alike[best.lowerBound + best.count / 2].time,
            range: alike[best.lowerBound].time...alike[best.upperBound - 1].time,
            share: Double(best.count) / Double(waits.count),
            file: files.count == 1 ? files.first : nil
        )
    }

    /// The cause of waits other than those by clocks that differ.
    ///
    /// A sender is full if content waits for the answers to as many requests as are ever in flight.
    var waitCause: WaitCause {
        let offset = offset
        let waits = usualWaits.filter { offset?.range.contains($0.time) != true }
        let mean = waits.reduce(0) { $0 + Double(max(0, $1.time)) } / Double(max(1, waits.count))
        guard mean > 50_000 else { return .none }
        let long = waits.filter { $0.time > 50_000 }
        let whileFull = long.filter { 3 * $0.inFlight >= 2 * digest.peakInFlight }
        let isFull = 2 * whileFull.reduce(0) { $0 + $1.time } >= long.reduce(0) { $0 + $1.time }
        return isFull ? .fullSender(mean: mean) : .unknown(mean: mean)
    }
}
