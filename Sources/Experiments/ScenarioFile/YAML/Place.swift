/// Where a value stands: in the scenario file, or in one of the settings given beside it.
///
/// Places of the file come before those of settings, each in reading order.
package enum Place: Hashable, Comparable, Sendable {
    /// In the file; line and column count from 1.
    case file(line: Int, column: Int)
    /// In the setting with this index.
    case setting(Int)
}
