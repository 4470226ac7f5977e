public import ArgumentParser
import Foundation

/// The options that a command receives from a parent process that has started it for one run.
public struct ParentOptions: ParsableArguments, Sendable {
    @Flag(help: .hidden)
    var stopWithInput = false

    @Option(help: .hidden)
    var runDirectory: String?

    /// Creates empty options for the parser to fill.
    public init() {}

    /// Stops the process and removes the directory of the run when standard input ends.
    ///
    /// Standard input ends with the parent, however the parent ends.
    public func watch() {
        guard stopWithInput else { return }
        let directory = runDirectory
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            // A file may just be written into it.
            for _ in 0..<40 {
                guard let directory, FileManager.default.fileExists(atPath: directory) else { break }
                try? FileManager.default.removeItem(atPath: directory)
                Thread.sleep(forTimeInterval: 0.05)
            }
            kill(getpid(), SIGTERM)
        }
    }
}
