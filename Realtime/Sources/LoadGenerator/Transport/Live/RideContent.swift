import FreshnessCore
import LiveActivityModel
import Quantities
import TextFormats
import Wire

/// The content that a run's rides announce to a monitor: when it was generated, and filler.
enum RideContent {
    /// The content, generated at a time [UNIX µs], as JSON of the length that is asked for unless it is longer.
    static func state(generatedAt: Int64, filledTo count: Int = 0) -> [UInt8] {
        let state = "{\"generated_at_us\":\(generatedAt)"
        let filler = count - state.utf8.count - 8
        return Array((filler > 0 ? state + ",\"p\":\"\(String(repeating: "x", count: filler))\"}" : state + "}").utf8)
    }

    /// When content was generated [UNIX µs]; nil where it does not say.
    static func generatedAt(_ state: [UInt8]) -> Int64? {
        guard let json = try? JSONMembers(state), case .number(let text)? = json["generated_at_us"] else { return nil }
        return Int64(text)
    }
}

extension PhonePush {
    /// A push in the time of a run that begins at an epoch [UNIX µs]; nil for a payload that no phone could show.
    init?(_ payload: ActivityPayload, _ token: DeviceToken, priority: Int, epoch: Int64) {
        guard payload.event == "update" || payload.event == "end" else { return nil }
        // Beyond that it is no time of day in any unit.
        let times = 0...4e12
        guard times ~= payload.timestamp, times ~= payload.staleDate ?? 0 else { return nil }
        let generatedAt = payload.contentState.flatMap { RideContent.generatedAt($0) }
        guard 0...4_000_000_000_000_000_000 ~= generatedAt ?? 0 else { return nil }
        let isEnd = payload.event == "end"
        // An end may come without any content, an update is nothing else.
        guard isEnd || generatedAt != nil else { return nil }
        func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e6) - epoch }
        self.init(
            ride: token.ride,
            tokenNumber: token.number,
            isEnd: isEnd,
            priority: PushPriority(rawValue: priority) ?? .considerate,
            content: ContentStamp(
                generatedAt: Instant(microseconds: (generatedAt ?? epoch) - epoch),
                staleDate: payload.staleDate.map { Instant(microseconds: microseconds($0)) } ?? .never
            ),
            timestamp: microseconds(payload.timestamp)
        )
    }
}
