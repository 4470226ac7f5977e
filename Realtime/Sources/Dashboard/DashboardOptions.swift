package import ArgumentParser
import Servers
import Shell

/// Options for a page that shows the progress of a load.
package struct DashboardOptions: ParsableArguments {
    @Option(
        defaultAsFlag: DashboardPort.usual,
        parsing: .next,
        help: ArgumentHelp(
            "Show the progress on a page of 127.0.0.1. The printed address contains a secret.",
            discussion: "0 for any free port. Without a port, put this option last or before another option.",
            valueName: "port"
        )
    )
    package var dashboard: DashboardPort? = nil

    package init() {}

    package func validate() throws {
        guard let dashboard, dashboard.number == nil else { return }
        throw ValidationError(
            "--dashboard must be a port, 0 to 65535, got \(dashboard); without a port, put it last or before another option"
        )
    }

    /// Performs work while a page shows its progress, if the user requested a page.
    ///
    /// - Parameters:
    ///   - name: The title of the page, such as `load apns`.
    ///   - isService: `true` for a service, which runs until it is stopped; `false` for a load.
    ///   - needsBoard: `true` if something else reads the board, so that it must exist even without a page.
    ///   - work: Receives the dashboard whose board it leaves snapshots on, or `nil` if nothing shows them. It returns
    ///     its result.
    /// - Throws: The exit code 75 before any work if the port is not available.
    package func showing<Value: Sendable>(
        _ name: String,
        isService: Bool = false,
        needsBoard: Bool = false,
        _ work: @Sendable (Dashboard?) async throws -> Value
    ) async throws -> Value {
        guard dashboard != nil || needsBoard else { return try await work(nil) }
        let port = dashboard?.number
        let dashboard = Dashboard(name: name, port: port, isService: isService)
        do {
            let tell = { @Sendable (address: String) in printError("dashboard: \(address)") }
            return try await dashboard.showing(onReady: tell) { try await work(dashboard) }
        } catch let error as PortUnavailable {
            throw CommandError("freshet \(name): \(error)", Failure.temporary)
        }
    }
}

/// The argument of `--dashboard`: a port on this machine.
///
/// Any text is accepted here, because the parser would treat a text that is not a number as a missing value.
package struct DashboardPort: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    /// The argument as given.
    package let description: String

    /// The default port, one below the studio's.
    package static let usual = DashboardPort(argument: "8798")

    /// Creates a value from any text.
    package init(argument: String) { description = argument }

    /// The port, 0 for any free port; `nil` if the text is not a port.
    package var number: Int? { UInt16(description).map { Int($0) } }
}
