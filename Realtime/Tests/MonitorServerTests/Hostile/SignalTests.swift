import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import MonitorServer

@Suite("A monitor under a service manager", .serialized)
struct SignalTests {
    private let scratch = Scratch()

    /// A service manager's watchdog sends SIGABRT, Ctrl-\\ sends SIGQUIT; the others are signals of crashes.
    @Test("A crash signal ends the service at once", arguments: [SIGABRT, SIGQUIT, SIGSEGV])
    func crashSignals(signal: Int32) async throws {
        let tally = HostileTally("signals of crashes", checks: 1)
        let monitor = try await MonitorProcess(scratch: scratch, apnsPort: 1)
        // A monitor that stopped in order would exit with a code of its own.
        let (reason, status) = monitor.end(by: signal)
        #expect(tally.counts(reason == .uncaughtSignal && status == signal))
    }

    @Test(
        "TLS begins at 1.2",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))
    )
    func oldTLS() async throws {
        let (certificate, key) = (scratch.path("certificate.pem"), scratch.path("key.pem"))
        func openssl(_ arguments: String...) throws -> Command.Outcome {
            try Command.run(arguments, program: "/usr/bin/openssl")
        }
        let made = try openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            "/CN=localhost",
            "-keyout",
            key,
            "-out",
            certificate
        )
        #expect(made.status == 0, "\(made.errors)")
        let arguments = ["--certificate", certificate, "--private-key", key]
        let monitor = try await MonitorProcess(scratch: scratch, apnsPort: 1, arguments: arguments)
        defer { _ = monitor.terminate() }
        for (version, isTaken) in [("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
            let outcome = try openssl(
                "s_client",
                "-connect",
                "localhost:\(monitor.port)",
                version,
                "-cipher",
                "DEFAULT@SECLEVEL=0"
            )
            #expect((outcome.status == 0) == isTaken, "\(version): \(outcome.output)\(outcome.errors)")
        }
    }
}
