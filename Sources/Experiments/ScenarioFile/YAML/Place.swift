/// Where a value stands: in the scenario file, in one that it extends, or in one of the settings given beside it.
///
/// Places of the file come before those of what it extends, nearest first, and those before settings, each in reading order.
package enum Place: Hashable, Comparable, Sendable {
    /// In the file; line and column count from 1.
    case file(line: Int, column: Int)
    /// In a file that it extends, a number of steps beyond the nearest.
    case extended(step: Int, line: Int, column: Int)
    /// In the setting with this index.
    case setting(Int)
}
