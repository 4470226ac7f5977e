/// Where trees differ, as those of design points do: at some paths and within them.
struct ChangedPaths: Sendable {
    private let around: Set<String>
    private let beginnings: [String]

    init(_ paths: [String]) {
        around = Set(paths.flatMap(Reading.ancestry(of:)))
        beginnings = paths.map { "\($0)." }
    }

    /// Whether a path lies within one of them.
    func contain(_ path: String) -> Bool { beginnings.contains(where: path.hasPrefix) }

    /// Whether what stands at a path may differ in whole or in part: the path is one of them, lies within one or around one.
    func touch(_ path: String) -> Bool { around.contains(path) || contain(path) }
}
