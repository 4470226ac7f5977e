/// What a push does to its Live Activity, by its name in payloads.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public enum PushEvent: String, BitwiseCopyable, CaseIterable, Sendable {
    case start
    case update
    case end

    /// The largest payload of a Live Activity's push that APNs accepts [bytes].
    public static var largestPayload: Int { 4096 }
}
