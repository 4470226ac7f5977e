import ArgumentParser
import Foundation

/// A command that is a program of its own: `freshet-NAME`, which `freshet NAME` becomes, as with git and cargo.
///
/// The program takes the place of the one that looked for it, so that signals, streams and the exit code are its own.
public struct CompanionProgram: Sendable {
    /// The command's name, without `freshet-`.
    public let name: String

    /// The program of a command.
    public init(_ name: String) {
        self.name = name
    }

    /// The file's name.
    public var fileName: String { "freshet-\(name)" }

    /// Where it is: beside this program, else in the first directory of `PATH` that has it; nil where there is none.
    public var path: String? {
        // `NAME` is a word of a command line; with a slash it would lead out of the directories that are searched.
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let searched = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return ([Self.ownDirectory] + searched)
            .map { URL(filePath: $0).appending(path: fileName).path }
            .first(where: Self.isProgram)
    }

    /// Whether a path leads to a file that may be run; of directories the system says so too.
    private static func isProgram(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }

    /// Where this program is, links resolved.
    public static var ownDirectory: String {
        let file = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return file.resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// How one comes by it, for a user of a release as for one of a checkout.
    public var origin: String {
        name == "bench"
            ? "in a checkout `make bench-program` builds it; releases do without it"
            : "releases have it beside freshet, and in a checkout `make load` builds it"
    }

    /// What is told where it is missing.
    public var missing: String {
        "the program \(fileName) is missing; looked in \(Self.ownDirectory) and on PATH, got nothing; \(origin)"
    }

    /// Becomes the program; returns only where there is none.
    ///
    /// Where the system refuses to run it, that is told and the command ends as for a missing input.
    public func become(with arguments: [String]) {
        guard let path else { return }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        printError("freshet \(name): \(path) cannot be run: \(String(cString: strerror(errno)))")
        exit(Failure.inputMissing.rawValue)
    }
}
