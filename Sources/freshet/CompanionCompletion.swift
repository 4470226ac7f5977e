import ExternalPrograms
import Foundation
import Shell
import TextFormats

/// Completions for the command line of a companion program, from the program's own description of its commands.
struct CompanionCompletion {
    /// A command as `--experimental-dump-help` prints it, as far as completions need it.
    private struct Description {
        let commandName: String
        let isDisplayed: Bool
        let subcommands: [Description]
        /// The long names of options that are displayed.
        let options: [String]

        init?(_ value: JSONMembers.Value?) {
            guard let json = value?.members, let commandName = json["commandName"]?.text else { return nil }
            self.commandName = commandName
            isDisplayed = json["shouldDisplay"]?.flag ?? true
            subcommands = json["subcommands"]?.elements?.compactMap { Description($0) } ?? []
            let arguments = json["arguments"]?.elements?.compactMap(\.members) ?? []
            let displayed = arguments.filter { $0["shouldDisplay"]?.flag == true }
            let names = displayed.flatMap { $0["names"]?.elements?.compactMap(\.members) ?? [] }
            options = names.filter { $0["kind"]?.text == "long" }.compactMap { $0["name"]?.text }
        }
    }

    private let name: String
    private let command: Description

    /// Asks the program; nil where there is none, or where it does not answer as programs of this family do.
    init?(_ name: String) {
        guard let path = CompanionProgram(name).path,
            let outcome = Subprocess.run([path, "--experimental-dump-help"], withErrors: false)
        else { return nil }
        self.init(name, describedBy: Data(outcome.text.utf8))
    }

    /// Reads what a program has said of itself; nil where it is not understood.
    init?(_ name: String, describedBy bytes: Data) {
        guard let command = Description((try? JSONMembers(Array(bytes)))?["command"]) else { return nil }
        self.name = name
        self.command = command
    }

    /// The words that may stand next: subcommands and options of the command reached so far that begin as the last word.
    ///
    /// - Parameters:
    ///   - words: The command line from `freshet` on.
    ///   - prefix: The typed part of the next word.
    func candidates(after words: [String], prefix: String) -> [String] {
        var reached = command
        for word in words.drop(while: { $0 != name }).dropFirst() {
            guard let next = reached.subcommands.first(where: { $0.commandName == word }) else { continue }
            reached = next
        }
        let candidates =
            reached.subcommands.filter(\.isDisplayed).map(\.commandName) + reached.options.map { "--\($0)" }
        return candidates.filter { $0.hasPrefix(prefix) }
    }
}
