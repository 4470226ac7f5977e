public import ScenarioLanguage

/// A plan: a scenario file with the options of the command.
public struct Plan: Hashable, Sendable {
    /// The version of the format.
    ///
    /// It grows if older programs could no longer read a plan.
    static let formatVersion = 1

    /// The scenario file; in a plan directory, its name there.
    public var file: String
    /// The settings that replace values of the file: `key.path=value`.
    public var settings: [String]
    /// The number of replications of each design point; nil for the file's own.
    public var replications: Int?
    /// The conditions on design points.
    public var only: [String]

    /// Creates a plan.
    public init(file: String, settings: [String], replications: Int?, only: [String]) {
        self.file = file
        self.settings = settings
        self.replications = replications
        self.only = only
    }

    /// Creates the planned sweep.
    ///
    /// - Parameters:
    ///   - points: The numbers of the design points to lay out; nil for all.
    ///   - laidOut: Called from time to time with the number of points laid out.
    /// - Throws: As ``ScenarioReader/read(file:settings:)`` and ``Sweep/init(_:replications:only:numbers:notify:laidOut:)`` do.
    public func sweep(points: Set<Int>? = nil, laidOut: (Int) -> Void = { _ in }) throws(ScenarioError) -> Sweep {
        try Sweep(
            ScenarioReader.read(file: file, settings: settings),
            replications: replications,
            only: only.compactMap { Condition(parsing: $0) },
            numbers: points,
            besidePresent: true,
            laidOut: laidOut
        )
    }
}
