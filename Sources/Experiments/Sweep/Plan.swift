/// What was planned: a scenario file with what was said beside it.
public struct Plan: Hashable, Sendable {
    /// Grows when older programs could not read a plan any more.
    static let formatVersion = 1

    /// The scenario file; in a plan directory, its name there.
    public var file: String
    /// `key.path=value`, in place of the file's values.
    public var settings: [String]
    /// How many replications each design point has; nil for what the file says.
    public var replications: Int?
    /// What must hold of the design points.
    public var only: [String]

    /// A plan to be written.
    public init(file: String, settings: [String], replications: Int?, only: [String]) {
        self.file = file
        self.settings = settings
        self.replications = replications
        self.only = only
    }

    /// The sweep that was planned.
    ///
    /// - Parameters:
    ///   - points: The numbers of the design points to lay out; nil for all.
    ///   - laidOut: Told how many points are laid out, now and then.
    /// - Throws: As ``Sweep/init(file:settings:replications:only:numbers:tell:laidOut:)`` does.
    public func sweep(points: Set<Int>? = nil, laidOut: (Int) -> Void = { _ in }) throws(ScenarioError) -> Sweep {
        try Sweep(
            file: file,
            settings: settings,
            replications: replications,
            only: only.compactMap { Condition(parsing: $0) },
            numbers: points,
            laidOut: laidOut
        )
    }
}
