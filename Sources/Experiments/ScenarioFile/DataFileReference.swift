/// A data file that a scenario names: a ride trace, or the column of an empirical distribution.
///
/// The scenario reader does not open such files. ``LoadedScenario/places(toLookFor:)`` says where to look, and
/// ``LoadedScenario/diagnostic(at:_:)`` turns what is wrong with one into a message at the place where it is named.
public struct DataFileReference: Hashable, Sendable {
    /// The file as the scenario names it.
    public var file: String
    /// The path of the value that names it: `rides.trace.file`, or one that ends in `empirical.file`.
    public var path: String
}
