/// A policy with a number that makes no sense, found when the policy is made.
public enum PolicyError: Error, Hashable, Sendable {
    /// A number outside its range; spans are in microseconds.
    case outOfRange(name: String, got: Int64, allowed: ClosedRange<Int64>)
    /// A list of instants that falls somewhere.
    case notAscending(name: String, index: Int)
    /// A list that must have something in it.
    case empty(name: String)

    static func check(_ value: some BinaryInteger, in allowed: ClosedRange<Int64>, name: String) throws(PolicyError) {
        guard allowed.contains(Int64(value)) else {
            throw .outOfRange(name: name, got: Int64(value), allowed: allowed)
        }
    }
}
