/// The indices of one activity's pushes, which key their draws.
///
/// A monitor outside the simulator that numbers its pushes in the same way gets the draws of the simulated ones.
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
    ///   - number: The number among the activity's pushes of that kind, from 0; its lower 25 bits are used.
    @inlinable
    public static func push(kind: UInt8, number: UInt32) -> UInt32 {
        UInt32(kind) << 25 | number & (1 << 25 - 1)
    }

    /// The index of one of a push's requests.
    ///
    /// - Parameters:
    ///   - push: The index of the push.
    ///   - attempt: From 0; its lower 5 bits are used.
    @inlinable
    public static func request(_ push: UInt32, attempt: UInt32) -> UInt32 {
        push << 5 | attempt & 31
    }
}
