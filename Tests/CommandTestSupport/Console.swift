import Foundation
public import TestSupport

/// A documentation page whose console blocks are tested: each command is run, and its output is compared with the page.
///
/// A console block is a code block in the language `console`. A command begins with `$ ` and continues on the next line
/// after a backslash. The lines up to the next command are its expected output; empty lines are ignored. A line that is
/// only an ellipsis marks omitted lines. An ellipsis at the end of a line marks the omitted rest of that line. A page
/// may omit the whole output of a command.
///
/// A command must succeed unless `echo $?` follows it, with the expected exit code. A command that ends with ` &` runs
/// until the end of the page; the next command starts when the file of its `--ready-file` option exists.
public struct Console {
    /// A command and its expected output.
    struct Step {
        var command: String
        var lines: [Substring] = []
    }

    private let page: String
    private let text: String

    /// Reads a page.
    ///
    /// - Parameter page: The path below docs/.
    public init(_ page: String) throws {
        self.page = page
        text = try String(contentsOf: Command.root.appending(path: "docs/\(page)"), encoding: .utf8)
    }

    /// Returns the code blocks of the page in a language.
    ///
    /// An empty string selects the blocks without a language.
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

    /// The commands of the page's shell blocks, in order and without comments.
    ///
    /// Quotation marks and trailing backslashes continue a command over several lines.
    public var commands: [String] {
        var commands: [String] = []
        var open = ""
        for line in blocks("sh").joined().split(separator: "\n") {
            let line = line.replacing(#/ *# .*/#, with: "")
            guard !line.isEmpty else { continue }
            open += open.isEmpty ? line : "\n" + line
            if line.hasSuffix("\\") || !open.count(where: { $0 == "'" }).isMultiple(of: 2) { continue }
            commands.append(open)
            open = ""
        }
        return commands
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

    /// Runs the commands in order, in a directory.
    ///
    /// - Parameters:
    /// - files: The file names of the page's YAML blocks, in order. The files are written before the first command.
    /// - environment: Variables of the shell's environment besides `PATH`.
    /// - replaced: Parts of commands, each with the text that replaces it.
    /// - isAligned: `true` if spaces are compared exactly; `false` if columns of measured values can have any width.
    /// - Returns: The differences from the page; empty if there are none.
    public func problems(
        in scratch: Scratch,
        files: [String] = [],
        environment: [String: String] = [:],
        replaced: [String: String] = [:],
        isAligned: Bool = true
    ) throws -> [String] {
        let shell = Shell(in: scratch.url, environment: environment)
        for (name, text) in zip(files, blocks("yaml")) { try scratch.write(text, to: name) }
        let steps = steps
        guard !steps.isEmpty else { return ["\(page) has no console"] }

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
                try shell.start(String(step.command.dropLast(2)))
                continue
            }
            let outcome = try shell.run(replaced.reduce(step.command) { $0.replacing($1.key, with: $1.value) })
            status = outcome.status
            let isAsked = steps.dropFirst(index + 1).first?.command == "echo $?"
            if status != 0, !isAsked {
                problems.append("\(page): \(step.command) ends with \(status): \(outcome.errors)")
            }
            if let problem = Self.difference(of: step.lines, from: outcome.output, isAligned: isAligned) {
                problems.append("\(page): \(step.command) \(problem)\n\(outcome.output)")
            }
        }
        return problems
    }

    /// Returns how the lines of a page differ from the output of a command; nil if they match, apart from omissions
    /// that the page marks, or if there are no lines.
    public static func difference(of lines: [Substring], from output: String, isAligned: Bool = true) -> String? {
        func text(_ line: Substring) -> String {
            let line = isAligned ? String(line) : String(line).replacing(#/ +/#, with: " ")
            return line.replacing(#/ +$/#, with: "")
        }
        func matches(_ printed: Substring, _ line: Substring) -> Bool {
            let (printed, line) = (text(printed), text(line))
            // The ellipsis may be part of the output, and the omitted text may be empty on some machines.
            return printed == line || line.hasSuffix("…") && printed.hasPrefix(text(line.dropLast()))
        }
        guard !lines.isEmpty else { return nil }
        var rest = output.split(separator: "\n").filter { !text($0).isEmpty }[...]
        var leavesOut = false
        for line in lines {
            if text(line).trimmingCharacters(in: .whitespaces) == "…" {
                leavesOut = true
                continue
            }
            guard let place = rest.firstIndex(where: { matches($0, line) }) else {
                return "does not print, in this order: \(line)"
            }
            guard leavesOut == (place > rest.startIndex) else {
                return leavesOut
                    ? "prints nothing that is left out before: \(line)"
                    : "prints more before this, which a line with … has to mark: \(line)"
            }
            rest = rest[(place + 1)...]
            leavesOut = false
        }
        if leavesOut == rest.isEmpty {
            return leavesOut
                ? "prints nothing more at its end" : "prints more at its end, which a line with … has to mark"
        }
        return nil
    }
}
