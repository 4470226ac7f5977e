import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Wire

extension PhonePush {
    /// A push in the time of a run.
    ///
    /// Fails for a payload that no phone could show.
    ///
    /// - Parameter epoch: The beginning of the run [UNIX µs].
    init?(_ payload: ActivityPayload, _ token: DeviceToken, priority: Int, epoch: Int64) {
        guard let event = payload.event, event != .start else { return nil }
        // A larger number is no time of day in any unit.
        let times = 0...4e12
        guard times ~= payload.timestamp, times ~= payload.staleDate ?? 0 else { return nil }
        let generatedAt = payload.contentState.flatMap { RideContent.generatedAt($0) }
        guard 0...4_000_000_000_000_000_000 ~= generatedAt ?? 0 else { return nil }
        // An end may have no content, an update must have some.
        guard event == .end || generatedAt != nil else { return nil }
        func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e6) - epoch }
        self.init(
            ride: token.ride,
            tokenNumber: token.number,
            event: event,
            priority: PushPriority(rawValue: priority) ?? .considerate,
            content: ContentStamp(
                generatedAt: Instant(microseconds: (generatedAt ?? epoch) - epoch),
                staleDate: payload.staleDate.map { Instant(microseconds: microseconds($0)) } ?? .never
            ),
            timestamp: microseconds(payload.timestamp),
            alerts: payload.alert != nil
        )
    }
}
