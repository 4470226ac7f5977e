/// The place of a value: in the scenario file, in a file that it extends, or in a setting.
///
/// Places in the file come first, then places in extended files, nearest first, then settings; each in reading order.
public enum Place: Hashable, Comparable, Sendable {
    /// In the file; line and column count from 1.
    case file(line: Int, column: Int)
    /// In an extended file, a number of steps beyond the nearest.
    case extended(step: Int, line: Int, column: Int)
    /// In the setting with this index.
    case setting(Int)
}
