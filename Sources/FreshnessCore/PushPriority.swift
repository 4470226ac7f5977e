/// The priority of a push, by APNs' own numbers.
public enum PushPriority: Int, CaseIterable, BitwiseCopyable, Sendable {
    /// 5: delivered with regard to the device's power; does not count against the activity's budget.
    case considerate = 5
    /// 10: delivered immediately; counts against the activity's budget.
    case immediate = 10
}
