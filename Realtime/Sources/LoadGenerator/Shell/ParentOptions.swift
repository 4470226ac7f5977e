internal import ArgumentParser
import Foundation

/// What a command is told by another one of this program that has started it for one run.
package struct ParentOptions: ParsableArguments {
    @Flag(help: .hidden)
    var stopWithInput = false

    @Option(help: .hidden)
    var runDirectory: String?

    package init() {}

    /// Stops the process when its standard input ends, which it does however the parent comes to its end, and takes the
    /// directory of the run away.
    package func watch() {
        guard stopWithInput else { return }
        let directory = runDirectory
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            // Something may just be written into it.
            for _ in 0..<40 {
                guard let directory, FileManager.default.fileExists(atPath: directory) else { break }
                try? FileManager.default.removeItem(atPath: directory)
                Thread.sleep(forTimeInterval: 0.05)
            }
            kill(getpid(), SIGTERM)
        }
    }
}
