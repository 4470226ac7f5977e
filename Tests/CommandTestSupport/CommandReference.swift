import Foundation

/// The reference in docs/commands.md, section by section: the command descriptions of a built program as Markdown.
///
/// The section of the program NAME is between `<!-- commands: NAME -->` and `<!-- end -->`.
public enum CommandReference {
    /// The path of the page.
    private static let page = Command.root.appending(path: "docs/commands.md")

    private struct Program: Decodable {
        let command: Description
    }

    private struct Description: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Self]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let discussion: String?
        let allValues: [String]?
        let defaultValue: String?
        let isOptional: Bool
        let isRepeating: Bool
        let shouldDisplay: Bool

        /// Options of every command are described once, at the top of the page.
        var isListed: Bool { shouldDisplay && !["help", "version"].contains(names?.last?.name) }
        var value: String { "<\(valueName ?? "value")>" }

        /// The argument as users type it.
        var typed: String {
            let names = (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }.joined(separator: ", ")
            return switch kind {
            case "positional": value
            case "option": "\(names) \(value)"
            default: names
            }
        }

        /// `true` if the option also works without a value.
        ///
        /// Only the help shows this, the JSON description does not.
        func isFlagToo(_ help: String) -> Bool {
            names?.contains { help.contains("--\($0.name) [\(value)]") } ?? false
        }

        /// Returns the argument's row in the table of a command with this help.
        func row(_ help: String) -> String {
            var meaning = CommandReference.plain([abstract, discussion].compactMap { $0 }.joined(separator: " "))
            if let allValues, !allValues.allSatisfy(meaning.contains) {
                meaning += " Values: \(allValues.map { "`\($0)`" }.joined(separator: ", "))."
            }
            if let defaultValue, !defaultValue.isEmpty {
                meaning += " \(isFlagToo(help) ? "Without a value" : "Default"): `\(defaultValue)`."
            }
            return "| `\(isFlagToo(help) ? typed.replacing(value, with: "[\(value)]") : typed)` | \(meaning) |"
        }
    }

    /// Returns the section of a program: its commands with their arguments.
    ///
    /// - Parameters:
    ///   - program: The name of a built program.
    ///   - others: Commands that have sections of their own.
    private static func section(of program: String, without others: Set<String> = []) throws -> String {
        let dump = try Command.run(["--experimental-dump-help"], program: program)
        let described = try JSONDecoder().decode(Program.self, from: Data(dump.output.utf8)).command
        let name = described.commandName
        let lines = try text(described, after: name.hasPrefix("freshet") ? [] : ["freshet"], without: others) { path in
            try Command.run(path + ["--help"], program: program).output
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the section of a program in the page, or nil if there is none.
    private static func written(_ program: String) throws -> Substring? {
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.firstRange(of: begin(program))
            .flatMap { begin in
                text[begin.upperBound...].firstRange(of: end).map { text[begin.upperBound..<$0.lowerBound] }
            }
    }

    /// Compares the page with a program, or writes its section if `FRESHET_WRITE_COMMANDS` is set in the environment.
    ///
    /// - Returns: The first line that differs, as the program and as the page has it; nil if the section is up to date.
    public static func difference(of program: String, without others: Set<String> = []) throws -> String? {
        let section = try section(of: program, without: others)
        if ProcessInfo.processInfo.environment["FRESHET_WRITE_COMMANDS"] != nil { try write(section, of: program) }
        guard let written = try written(program) else { return "docs/commands.md has no section of \(program)" }
        guard written != section else { return nil }
        let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = section.split(separator: "\n", omittingEmptySubsequences: false)
        let place = zip(lines, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, expected.count)
        func line(_ lines: [Substring]) -> Substring { place < lines.count ? lines[place] : "the end" }
        return "\(program) says: \(line(expected))\ndocs/commands.md says: \(line(lines))"
    }

    /// Replaces the section of a program in the page.
    private static func write(_ section: String, of program: String) throws {
        var text = try String(contentsOf: page, encoding: .utf8)
        guard let written = try written(program), let place = text.firstRange(of: begin(program) + written) else {
            return
        }
        text.replaceSubrange(place, with: begin(program) + section)
        try text.write(to: page, atomically: true, encoding: .utf8)
    }

    private static func begin(_ program: String) -> String { "<!-- commands: \(program) -->\n\n" }
    private static let end = "<!-- end -->"

    /// Returns the lines for a command and its subcommands.
    ///
    /// - Parameters:
    ///   - path: The commands above it.
    /// - words: The part of the path that is passed to the program.
    /// - help: Returns the help of a command, given the words that are passed to the program.
    private static func text(
        _ command: Description,
        after path: [String],
        words: [String] = [],
        without others: Set<String>,
        help: ([String]) throws -> String
    ) throws -> [String] {
        let path = path + [command.commandName]
        let name = path.joined(separator: " ")
        let depth = name.split(separator: " ").count
        let arguments = (command.arguments ?? []).filter(\.isListed)
        let parts = (command.subcommands ?? []).filter { $0.commandName != "help" && !others.contains($0.commandName) }

        var lines = [String(repeating: "#", count: min(depth + 1, 3)) + " \(name)", ""]
        if let abstract = command.abstract, !abstract.isEmpty { lines += [plain(abstract), ""] }
        if !arguments.isEmpty || parts.isEmpty {
            // Required arguments are shown by name, options first.
            let needed = arguments.filter { !$0.isOptional && $0.kind != "positional" }.map(\.typed)
            let positional = arguments.filter { $0.kind == "positional" }
                .map { argument in
                    let several = argument.isRepeating ? " ..." : ""
                    return argument.isOptional ? "[\(argument.value)\(several)]" : argument.value + several
                }
            let hasOptions = arguments.contains { $0.isOptional && $0.kind != "positional" }
            let usage = [name] + (hasOptions ? ["[<options>]"] : []) + needed + positional
            lines += ["```", usage.joined(separator: " "), "```", ""]
        }
        lines += discussion(command.discussion ?? "")
        if !arguments.isEmpty {
            lines += ["| | what it says |", "|---|---|"]
            let help = try help(words)
            lines += arguments.map { $0.row(help) }
            lines.append("")
        }
        for part in parts {
            lines += try text(part, after: path, words: words + [part.commandName], without: others, help: help)
        }
        return lines
    }

    /// Returns the paragraphs of a discussion, with its examples as code blocks.
    private static func discussion(_ text: String) -> [String] {
        text.split(separator: "\n\n")
            .flatMap { paragraph -> [String] in
                guard paragraph.contains(#/(?m)^(Example|Try): /#) else { return [plain(String(paragraph)), ""] }
                return ["```", String(paragraph.replacing(#/(?m)^(Example|Try): /#, with: "")), "```", ""]
            }
    }

    /// Escapes characters that have a meaning in Markdown, except in code.
    private static func plain(_ text: String) -> String {
        let parts = text.replacing("\n", with: " ").split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated()
            .map { index, part in
                // In code only `|` has a meaning: it separates the cells of a table.
                let signs = index.isMultiple(of: 2) ? #/[\\*_<\[|]/# : #/\|/#
                return String(part).replacing(signs) { "\\\($0.output)" }
            }
            .joined(separator: "`")
    }
}
