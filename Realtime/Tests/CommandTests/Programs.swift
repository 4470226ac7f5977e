import CommandTestSupport
import Foundation

/// The programs of both packages.
enum Programs {
    /// The simulator's command, which must be built before these tests.
    static let simulator = Command.root.appending(path: ".build/debug/freshet").path

    /// Returns a time within which several programs that start at once have read their command lines [s].
    ///
    /// The time is scaled from the current start-up time of one program on this machine.
    static func startUp(of count: Int) throws -> Int {
        let began = ContinuousClock.now
        _ = try Command.run(["--version"], program: "freshet-load")
        let one = began.duration(to: .now)
        return 3 + Int(one * count * 10 / .seconds(1))
    }

    /// Returns a directory that contains `freshet` with all commands.
    static func all(in scratch: Scratch) throws -> String {
        // The simulator's build directory lacks the programs of this package, so a script on the path combines both.
        let script = """
            #!/bin/sh
            case $1 in
            apns | load | monitor | studio) program=freshet-$1 && shift && exec "$program" "$@" ;;
            *) exec '\(simulator)' "$@" ;;
            esac
            """
        let program = try scratch.file("programs/freshet", script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return scratch.path("programs")
    }
}
