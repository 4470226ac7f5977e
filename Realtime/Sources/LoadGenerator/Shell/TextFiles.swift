import Foundation
import Reporting

/// Writes a file whole, so that a reader who sees it can read all of it, or ends the command.
package func writeWholeOrExit(_ text: String, to path: String, mode: Int) throws {
    let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
    let attributes: [FileAttributeKey: any Sendable] = [.posixPermissions: mode]
    guard
        FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: attributes),
        rename(temporary, path) == 0
    else {
        printError("cannot write \(path)")
        throw Failure.cannotWrite
    }
}

/// Reads a text, or ends the command.
package func textOrExit(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        printError("\(path): cannot be read")
        throw Failure.inputMissing
    }
    return text
}
