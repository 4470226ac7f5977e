import ArgumentParser
import Reporting

/// What `freshet` knows of a command that is a program of its own; the program itself tells all else that it can do.
protocol Companion: SendableMetatype {
    /// The command's name; the program is `freshet-NAME`.
    static var name: String { get }
    /// What it does, in a sentence.
    static var abstract: String { get }
    static var example: String { get }
}

/// A command that is a program of its own, in help and completions; `Freshet.main` becomes the program where there is one.
struct CompanionCommand<Described: Companion>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Described.name,
            abstract: Described.abstract,
            discussion: """
                Example: \(Described.example)

                A program of its own, freshet-\(Described.name): \(CompanionProgram(Described.name).origin).
                """
        )
    }

    @Argument(
        parsing: .captureForPassthrough,
        help: "What the program is told; see freshet \(Described.name) --help.",
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
    static let abstract = "Load-tests the core, an APNs endpoint or a monitor in real time."
    static let example = "freshet load core"
}

enum APNsCompanion: Companion {
    static let name = "apns"
    static let abstract = "Plays APNs and phones on this machine: HTTP/2, TLS, provider tokens, every rejection."
    static let example = "freshet apns apns-outage --port 8443 --write-ca ca.pem --write-key key.p8"
}

enum MonitorCompanion: Companion {
    static let name = "monitor"
    static let abstract = "Runs the Freshness Monitor as a service that takes tokens and content, and pushes."
    static let example = "freshet monitor --registry tokens.sqlite --apns https://localhost:8443 …"
}

enum StudioCompanion: Companion {
    static let name = "studio"
    static let abstract = "Opens a page on which you change a setting and see the day change."
    static let example = "freshet studio nyc-lyft-day"
}

enum BenchCompanion: Companion {
    static let name = "bench"
    static let abstract = "In a checkout: measures the speed of the simulator on this machine."
    static let example = "freshet bench hold --pending 1000000"
}
