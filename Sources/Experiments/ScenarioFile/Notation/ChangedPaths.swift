/// The paths at and below which trees differ, such as those of design points.
struct ChangedPaths: Sendable {
    private let around: Set<String>
    private let beginnings: [String]

    init(_ paths: [String]) {
        around = Set(paths.flatMap(Reading.ancestry(of:)))
        beginnings = paths.map { "\($0)." }
    }

    /// Returns true if a path is one of them or below one.
    func contain(_ path: String) -> Bool { beginnings.contains(where: path.hasPrefix) }

    /// Returns true if the value at a path may differ in whole or in part: the path is one of them, below one or above
    /// one.
    func touch(_ path: String) -> Bool { around.contains(path) || contain(path) }
}
