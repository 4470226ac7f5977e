import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Reporting
import Shell

/// A load on an APNs endpoint over connections of its own.
struct EndpointLoad: Load {
    var pushes: PushLoad
    let endpoint: APNsEndpoint
    let provider: ProviderIdentity?
    let configuration: APNsPoolConfiguration
    let showsProgress: Bool
    /// The start of the load [µs since 1970]; nil: as soon as there are connections.
    var start: Int64?
    /// Takes the rows of the event log; nil if none is written.
    var log: EventLogTaker?
    /// The longest wait for the first connections.
    var patience = Duration.seconds(10)

    var schedule: LoadSchedule {
        get { pushes.schedule }
        set { pushes.schedule = newValue }
    }

    /// Connects, sends all pushes and waits for their outcomes; see ``LoadRun``.
    func run(endingWith end: EarlyEnd, report: (LoadProgress) -> Void) async throws -> LoadProgress {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.lanes)
        return try await working {
            let pool = try await APNsPool(
                endpoint: endpoint,
                configuration: configuration,
                provider: provider,
                group: group
            )
            return try await working {
                try await pool.connected(within: patience)
                let begin = try await beginning()
                return try await LoadRun(pushes, over: pool)
                    .run(unixMicroseconds: start, beginningAt: begin, endingWith: end, report: report, log: log)
            } finally: {
                await pool.close()
            }
        } finally: {
            try? await group.shutdownGracefully()
        }
    }

    /// Waits until shortly before the start of the load and returns its instant; nil if no start is stated.
    private func beginning() async throws -> NIODeadline? {
        guard let start else { return nil }
        let lead: Int64 = 50_000
        while true {
            let left = start - WallClock.microseconds
            guard left > lead else { break }
            if showsProgress { ProgressLine.show("connected; begins in \(ProgressLine.span(left))") }
            // In steps, because the clock may be set meanwhile.
            try await Task.sleep(for: .microseconds(min(left - lead, 1_000_000)))
        }
        // The instant may have passed: pushes that were due meanwhile are late.
        return .now() + .microseconds(start - WallClock.microseconds)
    }
}
