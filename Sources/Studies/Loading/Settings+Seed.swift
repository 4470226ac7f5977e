extension [String] {
    /// Returns settings of a scenario, each as `key.path=value`, with a seed that overrides the file's; nil: the file's.
    public func withSeed(_ seed: UInt64?) -> [String] { self + (seed.map { ["seed=\($0)"] } ?? []) }
}
