package import ArgumentParser
import PageServer
import Reporting

/// Whether a page shows how a load goes, and on which port.
package struct DashboardOptions: ParsableArguments {
    @Option(
        defaultAsFlag: DashboardPort.usual,
        parsing: .next,
        help: ArgumentHelp(
            "Show on a page of 127.0.0.1 how it goes; its address holds a secret and is printed.",
            discussion: "0: any port that is free. Without one put it last, or before another option.",
            valueName: "port"
        )
    )
    package var dashboard: DashboardPort? = nil

    package init() {}

    package func validate() throws {
        guard let dashboard, dashboard.number == nil else { return }
        throw ValidationError(
            "--dashboard takes a port, 0 to 65535, got \(dashboard); without one, put it last or before another option"
        )
    }

    /// Does work while a page shows how it goes, where that was asked for.
    ///
    /// - Parameters:
    ///   - name: What is shown, as `load apns`.
    ///   - isService: Whether it is a service, which runs until it is stopped, and not a load.
    ///   - needsBoard: Whether something else reads the board, so that there is one without a page, too.
    ///   - work: Is given the board on which it leaves snapshots; nil where nothing shows them. It returns the files of its
    ///     results, which the page then becomes.
    /// - Throws: The exit code 75 where the port cannot be had, before any work.
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
        } catch let error as PortInUse {
            throw CommandError("freshet \(name): \(error.description(option: "--dashboard"))", Failure.temporary)
        }
    }
}

/// What was given as the port for a page of this machine.
///
/// Any text is taken: the parser itself would take what is no number for no value at all.
package struct DashboardPort: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    /// As it was given.
    package let description: String

    /// The one beside the studio's.
    package static let usual = DashboardPort(argument: "8798")

    /// Takes a text.
    package init(argument: String) { description = argument }

    /// The port, 0 for any that is free; nil for what is none.
    package var number: Int? { UInt16(description).map { Int($0) } }
}
