import ArgumentParser
import Shell

/// The name, summary and example of a command that is a separate program; `--help` of that program has the rest.
protocol Companion: SendableMetatype {
    /// The command's name; the program is `freshet-NAME`.
    static var name: String { get }
    /// A one-sentence summary.
    static var abstract: String { get }
    static var example: String { get }
}

/// A command implemented by a separate program.
///
/// For help and completions only: `Freshet.main` executes the program if it is installed.
struct CompanionCommand<Described: Companion>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Described.name,
            abstract: Described.abstract,
            discussion: """
                Example: \(Described.example)

                A separate program, freshet-\(Described.name): \(CompanionProgram(Described.name).origin).
                """
        )
    }

    @Argument(
        parsing: .captureForPassthrough,
        help: "Arguments of the program; see freshet \(Described.name) --help.",
        completion: .custom { words, index, prefix in
            // The word that is being completed is among the words where some of it is there.
            CompanionCompletion(Described.name)?.candidates(after: Array(words.prefix(index)), prefix: prefix) ?? []
        }
    )
    var arguments: [String] = []

    func run() throws {
        throw CommandError(
            "freshet \(Described.name): \(CompanionProgram(Described.name).missing)",
            Failure.inputMissing
        )
    }
}

enum LoadCompanion: Companion {
    static let name = "load"
    static let abstract = "Load-tests an APNs endpoint or a monitor, in real time."
    static let example = "freshet load scenario workout"
}

enum APNsCompanion: Companion {
    static let name = "apns"
    static let abstract = "Runs a stand-in for APNs and the phones: HTTP/2, TLS, provider tokens, every error response."
    static let example = "freshet apns apns-outage --port 8443 --write-ca ca.pem --write-key key.p8"
}

enum MonitorCompanion: Companion {
    static let name = "monitor"
    static let abstract = "Runs the Freshness Monitor as a service: accepts tokens and content, sends pushes."
    static let example = "freshet monitor --registry tokens.sqlite --apns https://localhost:8443 …"
}

enum StudioCompanion: Companion {
    static let name = "studio"
    static let abstract =
        "Compares two scenarios side by side in the browser: change a setting and see the effect on a day."
    static let example = "freshet studio nyc-lyft-day"
}

enum BenchCompanion: Companion {
    static let name = "bench"
    static let abstract =
        "Benchmarks the kernel, the model and the core on this machine (needs a checkout)."
    static let example = "freshet bench hold --pending 1000000"
}

enum VerifyCompanion: Companion {
    static let name = "verify"
    static let abstract = "Checks the model against exactly known results and against invariants of random scenarios."
    static let example = "freshet verify --swarm 1000"
}
