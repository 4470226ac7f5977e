/// Where a value stands: in the scenario file, in the one that it extends, or in one of the settings given beside it.
///
/// Places of the file come before those of the extended one, and those before settings, each in reading order.
package enum Place: Hashable, Comparable, Sendable {
    /// In the file; line and column count from 1.
    case file(line: Int, column: Int)
    /// In the file that the scenario file extends.
    case extended(line: Int, column: Int)
    /// In the setting with this index.
    case setting(Int)
}
