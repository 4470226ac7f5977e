import ArgumentParser
import Foundation

/// A command that is a program of its own: `freshet NAME` runs `freshet-NAME`, as git and cargo do.
///
/// The program replaces the calling process, so it has that process's signals, streams and exit code.
public struct CompanionProgram: Sendable {
    /// The command's name, without `freshet-`.
    public let name: String

    /// The program of a command.
    public init(_ name: String) {
        self.name = name
    }

    /// The file's name.
    public var fileName: String { "freshet-\(name)" }

    /// The program's path: beside this program, else in the first directory of `PATH` that has it; nil if there is
    /// none.
    public var path: String? {
        // `NAME` is an argument. A slash in it would lead out of the searched directories.
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let searched = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return ([Self.ownDirectory] + searched)
            .map { URL(filePath: $0).appending(path: fileName).path }
            .first(where: Self.isProgram)
    }

    /// Returns true if a path leads to an executable file.
    ///
    /// Directories are excluded because the system calls them executable too.
    private static func isProgram(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }

    /// The directory of this program, with links resolved.
    public static var ownDirectory: String {
        let file = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return file.resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// A hint on how to get the program, for users of a release and of a checkout.
    public var origin: String {
        switch name {
        case "bench": "in a checkout `make bench-program` builds it; releases do not include it"
        case "verify": "releases include it beside freshet; in a checkout `make verification` builds it"
        default: "releases include it beside freshet; in a checkout `make load` builds it"
        }
    }

    /// The message if the program is missing.
    public var missing: String {
        "the program \(fileName) is missing; searched \(Self.ownDirectory) and PATH, found nothing; \(origin)"
    }

    /// Replaces this process by the program; returns only if there is no such program.
    ///
    /// If the system refuses to run it, the error is printed and the command ends with the exit code of a missing
    /// input.
    public func become(with arguments: [String]) {
        guard let path else { return }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        printError("freshet \(name): \(path) cannot be run: \(String(cString: strerror(errno)))")
        exit(Failure.inputMissing.rawValue)
    }
}
