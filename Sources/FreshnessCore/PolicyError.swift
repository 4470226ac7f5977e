/// An invalid number in a policy, found when the policy is created.
public enum PolicyError: Error, Hashable, Sendable {
    /// A number outside its range; spans are in microseconds.
    case outOfRange(name: String, got: Int64, allowed: ClosedRange<Int64>)
    /// A list of instants that is not ascending.
    case notAscending(name: String, index: Int)
    /// A list that must not be empty.
    case empty(name: String)

    static func check(_ value: some BinaryInteger, in allowed: ClosedRange<Int64>, name: String) throws(PolicyError) {
        guard allowed.contains(Int64(value)) else {
            throw .outOfRange(name: name, got: Int64(value), allowed: allowed)
        }
    }
}
