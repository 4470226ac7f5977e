package import Shell

/// A load with everything that it needs to run.
package protocol Load: Sendable {
    /// The due times of its requests.
    var schedule: LoadSchedule { get set }

    /// Sends all requests and waits for their outcomes; see ``LoadRun``.
    ///
    /// - Parameters:
    ///   - end: The request for an early end.
    ///   - report: Called several times per second with the progress so far.
    func run(endingWith end: EarlyEnd, report: (LoadProgress) -> Void) async throws -> LoadProgress
}
