import Foundation

/// A page of the documentation whose consoles are typed: each command is run, and what stands below it has to be printed.
///
/// A console is a block of code in the language `console`. A line that begins with `$ ` is a command, until a line that does
/// not end with a backslash; what follows, up to the next command, is its output, empty lines apart. A line with an ellipsis
/// alone stands for lines that the page leaves out, an ellipsis at the end of a line for the rest of that line. Below some
/// commands a page shows nothing at all. A command has to succeed, unless `echo $?` comes after it and says with what it ends. One that ends with ` &` runs on until the page is over;
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

    /// The commands of the page's blocks of shell, in their order: a line each, or as many as its quotation marks and the
    /// backslashes at the ends of lines hold together; without comments.
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

    /// Types the commands, one after the other, in a directory.
    ///
    /// - Parameters:
    ///   - files: Names for the page's blocks of YAML, in their order; they are written there first.
    ///   - directory: Of programs that come before the built ones on `PATH`; none unless it is given.
    ///   - environment: What the shell's environment has besides `PATH`.
    ///   - replaced: Texts of commands, each with the text that is typed instead.
    ///   - isAligned: Whether blanks have to be as they are printed; columns of measured values are of any width.
    /// - Returns: What is not as the page says; nothing where the page is right.
    public func problems(
        in scratch: Scratch,
        files: [String] = [],
        programs directory: String? = nil,
        environment: [String: String] = [:],
        replaced: [String: String] = [:],
        isAligned: Bool = true
    ) throws -> [String] {
        let shell = Shell(in: scratch.url, programs: directory, environment: environment)
        for (name, text) in zip(files, blocks("yaml")) { _ = try scratch.file(name, text) }
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

    /// How a page's lines differ from what a command has printed; nil where they are that, but for what they mark as left
    /// out, or where there are none.
    public static func difference(of lines: [Substring], from output: String, isAligned: Bool = true) -> String? {
        func text(_ line: Substring) -> String {
            let line = isAligned ? String(line) : String(line).replacing(#/ +/#, with: " ")
            return line.replacing(#/ +$/#, with: "")
        }
        func matches(_ printed: Substring, _ line: Substring) -> Bool {
            let (printed, line) = (text(printed), text(line))
            // An ellipsis may have been printed, and what one stands for may depend on the machine and be nothing there.
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
