import Foundation

/// A page of the documentation whose consoles are typed: each command is run, and what stands below it has to be printed.
///
/// A console is a block of code in the language `console`. A line that begins with `$ ` is a command, until a line that does
/// not end with a backslash; what follows, up to the next command, stands in its output in this order. A command has to
/// succeed, unless `echo $?` comes after it and says with what it ends. One that ends with ` &` runs on until the page is over;
/// the next one waits for the file that it names as `--ready-file`.
public struct Console {
    /// A command and the lines below it.
    struct Step {
        var command: String
        var lines: [Substring] = []
    }

    private let page: String
    private let text: String

    /// Reads a page.
    ///
    /// - Parameter page: Its path below docs/.
    public init(_ page: String) throws {
        self.page = page
        text = try String(contentsOf: Command.root.appending(path: "docs/\(page)"), encoding: .utf8)
    }

    /// The blocks of the page in a language; of an empty one: the plain ones.
    public func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        var isWanted = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```"), let block = lines {
                if isWanted { blocks.append(block.joined(separator: "\n") + "\n") }
                lines = nil
            } else if line.hasPrefix("```") {
                isWanted = line.dropFirst(3) == language
                lines = []
            } else {
                lines?.append(line)
            }
        }
        return blocks
    }

    private var steps: [Step] {
        var steps: [Step] = []
        for line in blocks("console").joined().split(separator: "\n") {
            if let last = steps.last, last.lines.isEmpty, last.command.hasSuffix("\\") {
                steps[steps.count - 1].command = String(last.command.dropLast() + line.drop { $0 == " " })
            } else if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else {
                steps[steps.count - 1].lines.append(line)
            }
        }
        return steps
    }

    /// Types the commands, one after the other, in a directory.
    ///
    /// - Parameters:
    ///   - files: Names for the page's blocks of YAML, in their order; they are written there first.
    ///   - directory: Of programs that come before the built ones on `PATH`; none unless it is given.
    ///   - environment: What the shell's environment has besides `PATH`.
    ///   - isAligned: Whether blanks have to be as they are printed; columns of measured values are of any width.
    /// - Returns: What is not as the page says; nothing where the page is right.
    public func problems(
        in scratch: Scratch,
        files: [String] = [],
        programs directory: String? = nil,
        environment: [String: String] = [:],
        isAligned: Bool = true
    ) throws -> [String] {
        let path = (directory.map { "\($0):" } ?? "") + Command.directory.path + ":/usr/local/bin:/usr/bin:/bin"
        let environment = ["PATH": path].merging(environment) { $1 }
        for (name, text) in zip(files, blocks("yaml")) { _ = try scratch.file(name, text) }
        let steps = steps
        guard !steps.isEmpty else { return ["\(page) has no console"] }

        var background: [Process] = []
        defer {
            for process in background {
                process.terminate()
                process.waitUntilExit()
            }
        }
        var problems: [String] = []
        var status: Int32 = 0
        for (index, step) in steps.enumerated() {
            if step.command == "echo $?" {
                if step.lines != ["\(status)"] {
                    problems.append("\(page): the exit code is \(status), not \(step.lines)")
                }
                continue
            }
            if step.command.hasSuffix(" &") {
                background.append(try start(step.command, environment, in: scratch))
                continue
            }
            let outcome = try Command.run(
                ["-c", step.command],
                program: "/bin/bash",
                environment: environment,
                directory: scratch.url
            )
            status = outcome.status
            let isAsked = steps.dropFirst(index + 1).first?.command == "echo $?"
            if status != 0, !isAsked {
                problems.append("\(page): \(step.command) ends with \(status): \(outcome.errors)")
            }
            func text(_ printed: some StringProtocol) -> String {
                isAligned ? String(printed) : String(printed).replacing(#/ +/#, with: " ")
            }
            var rest = text(outcome.output)[...]
            for line in step.lines {
                guard let place = rest.firstRange(of: text(line)) else {
                    problems.append(
                        "\(page): \(step.command) does not print, in this order: \(line)\n\(outcome.output)"
                    )
                    break
                }
                rest = rest[place.upperBound...]
            }
        }
        return problems
    }

    /// Starts a command that runs on, and waits until it is ready.
    private func start(
        _ command: String,
        _ environment: [String: String],
        in scratch: Scratch
    ) throws -> Process {
        let process = Command.process(
            // In place of the shell, so that a signal reaches the program.
            ["-c", "exec \(command.dropLast(2))"],
            program: "/bin/bash",
            environment: environment
        )
        process.currentDirectoryURL = scratch.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let ready = command.firstMatch(of: /--ready-file (\S+)/)?.1 {
            let path = scratch.path(String(ready))
            for _ in 0..<3000 where !FileManager.default.fileExists(atPath: path) && process.isRunning {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        return process
    }
}
