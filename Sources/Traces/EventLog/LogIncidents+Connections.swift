import LiveActivityModel
import Statistics

/// Connections that are lost: many requests end without an answer at one instant, long before the sender would give up.
extension LogIncidents {
    /// The time within which requests end together [µs].
    private static let instant: Int64 = 20_000
    /// The number of requests that chance does not end together.
    private static let fewest = 3

    /// Finds lost connections and removes their requests from the unanswered ones of ``bins``.
    mutating func connectionLosses() -> [Incident] {
        // Without finer times, requests of one second seem to end together; without ids, waits are those of other requests.
        guard digest.resolution < 1_000_000, digest.uncertainAnswers == 0 else { return [] }
        let all = digest.giveUps.elements
        let patience = all.map(\.value).sorted()
        guard patience.count >= Self.fewest else { return [] }
        // Where few requests time out, the longest waits are those of lost connections.
        let usual = Double(patience[patience.count * 9 / 10])
        let early = all.filter { Double($0.value) < 0.9 * usual }
            .sorted { ($0.at + $0.value, $0.at) < ($1.at + $1.value, $1.at) }
        var losses: [Incident] = []
        var first = 0
        while first < early.count {
            let at = early[first].at + early[first].value
            var next = first
            while next < early.count, early[next].at + early[next].value - at <= Self.instant { next += 1 }
            if next - first >= Self.fewest {
                for request in early[first..<next] {
                    let bin = Int((request.at - digest.origin) / digest.binLength)
                    if bins.indices.contains(bin), bins[bin].unanswered > 0 { bins[bin].unanswered -= 1 }
                }
                losses.append(
                    Incident(
                        kind: .connectionLost,
                        from: at,
                        until: at + 1,
                        beginning: at...at,
                        ending: at...at,
                        size: nil,
                        sizeInterval: nil,
                        count: next - first,
                        gain: 0
                    )
                )
            }
            first = next
        }
        return losses
    }
}
