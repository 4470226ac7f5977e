import CommandTestSupport
import Foundation

/// The programs of both packages.
enum Programs {
    /// The simulator's command, which the loops build before these tests.
    static let simulator = Command.root.appending(path: ".build/debug/freshet").path

    /// A time within which some programs that start at once have read their command lines [s].
    ///
    /// It follows from the time that one takes on this machine now.
    static func startUp(of count: Int) throws -> Int {
        let began = ContinuousClock.now
        _ = try Command.run(["--version"], program: "freshet-load")
        let one = began.duration(to: .now)
        return 3 + Int(one * count * 10 / .seconds(1))
    }

    /// A directory in which there is `freshet` with all of its commands.
    static func all(in scratch: Scratch) throws -> String {
        // Beside the simulator's command the programs of this package would be missing: on a path of their own both are found.
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
