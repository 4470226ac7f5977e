import Foundation
import Reporting

/// What may follow in the command line of a companion, as the program itself describes its commands.
struct CompanionCompletion {
    /// A command as `--experimental-dump-help` prints it, as far as completions need it.
    private struct Description: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let shouldDisplay: Bool
            let names: [Name]?
        }
        let commandName: String
        let shouldDisplay: Bool?
        let subcommands: [Description]?
        let arguments: [Argument]?
    }

    private struct Tool: Decodable {
        let command: Description
    }

    private let name: String
    private let command: Description

    /// Asks the program; nil where there is none, or where it does not answer as programs of this family do.
    init?(_ name: String) {
        guard let path = CompanionProgram(name).path else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["--experimental-dump-help"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        self.init(name, describedBy: bytes)
    }

    /// Reads what a program has said of itself; nil where it is not understood.
    init?(_ name: String, describedBy bytes: Data) {
        guard let tool = try? JSONDecoder().decode(Tool.self, from: bytes) else { return nil }
        self.name = name
        command = tool.command
    }

    /// The words that may stand next: subcommands and options of the command reached so far that begin as the last word.
    ///
    /// - Parameters:
    ///   - words: The command line from `freshet` on.
    ///   - prefix: What of the next word is there already.
    func candidates(after words: [String], prefix: String) -> [String] {
        var reached = command
        for word in words.drop(while: { $0 != name }).dropFirst() {
            guard let next = reached.subcommands?.first(where: { $0.commandName == word }) else { continue }
            reached = next
        }
        var candidates: [String] = []
        for subcommand in reached.subcommands ?? [] where subcommand.shouldDisplay ?? true {
            candidates.append(subcommand.commandName)
        }
        for argument in reached.arguments ?? [] where argument.shouldDisplay {
            for name in argument.names ?? [] where name.kind == "long" { candidates.append("--\(name.name)") }
        }
        return candidates.filter { $0.hasPrefix(prefix) }
    }
}
