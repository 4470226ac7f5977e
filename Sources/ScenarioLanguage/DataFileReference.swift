/// A data file that a scenario names: a ride trace, a file of estimates, or the column of an empirical distribution.
///
/// The scenario reader does not open such files. ``LoadedScenario/places(toLookFor:)`` lists their possible places, and
/// ``LoadedScenario/diagnostic(at:_:)`` reports a problem at the place where a file is named.
public struct DataFileReference: Hashable, Sendable {
    /// The file's name in the scenario.
    public var file: String
    /// The path of the key that names it: `rides.trace.file`, `content.eta.file`, or a path that ends in `empirical.file`.
    public var path: String
}
