import Traces

/// A cache of data files and samplers, for callers that load many worlds of one scenario file.
///
/// A data file that changes in the meantime is not read again, so all worlds use the same data.
public final class LoadingCache: Sendable {
    let files = DataFiles()
    let samplers = KnownSamplers()

    /// Creates an empty cache.
    public init() {}
}
