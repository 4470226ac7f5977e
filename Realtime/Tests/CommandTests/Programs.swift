import CommandTestSupport
import Foundation

/// The programs of both packages.
enum Programs {
    /// True if the simulator's command, which the tests of this package do not build, is beside their programs.
    static var haveSimulator: Bool {
        FileManager.default.isExecutableFile(atPath: Command.directory.appending(path: "freshet").path)
    }

    /// Returns a time within which several programs that start at once have read their command lines [s].
    ///
    /// The time is scaled from the current start-up time of one program on this machine.
    static func startUp(of count: Int) throws -> Int {
        let began = ContinuousClock.now
        _ = try Command.run("--version", program: "freshet-load")
        let one = began.duration(to: .now)
        return 3 + Int(one * count * 10 / .seconds(1))
    }
}
