/// The effect of a push on its Live Activity, by its name in payloads.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public enum PushEvent: String, BitwiseCopyable, CaseIterable, Sendable {
    case start
    case update
    case end

    /// The maximum payload that APNs accepts for a Live Activity's push [bytes].
    public static var largestPayload: Int { 4096 }
}
