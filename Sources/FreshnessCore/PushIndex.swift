/// How the pushes of one activity are numbered, which keys their draws.
///
/// A monitor outside of the simulator that numbers its pushes alike meets the luck of the simulated ones.
///
/// ```
///  31 30 29                      5 4     0
/// ┌─────┬─────────────────────────┬───────┐
/// │ kind│ number among its kind   │attempt│
/// └─────┴─────────────────────────┴───────┘
/// ```
public enum PushIndex {
    /// The index of a push.
    ///
    /// - Parameters:
    ///   - kind: 0 for an update, 1 for a retry, 2 for an end, 3 for a start.
    ///   - number: Among the activity's pushes of that kind, from 0; 25 bits of it count.
    @inlinable
    public static func push(kind: UInt8, number: UInt32) -> UInt32 {
        UInt32(kind) << 25 | number & (1 << 25 - 1)
    }

    /// The index of one of the requests in which a push is sent.
    ///
    /// - Parameters:
    ///   - push: The index of the push.
    ///   - attempt: From 0; 5 bits of it count.
    @inlinable
    public static func request(_ push: UInt32, attempt: UInt32) -> UInt32 {
        push << 5 | attempt & 31
    }
}
