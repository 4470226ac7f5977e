import Foundation
import InputFiles
import Shell

/// The largest file that a command reads as a whole [bytes].
package let largestText = 1 << 24

/// Reads the bytes of a file, or ends the command.
///
/// - Parameter limit: The largest allowed file [bytes].
package func bytesOrExit(_ path: String, limit: Int = largestText) throws -> [UInt8] {
    do {
        return try InputFile.bytes(of: path, limit: limit)
    } catch {
        printError("\(path): \(error)")
        throw error == .missing ? Failure.inputMissing : Failure.badData
    }
}

/// Reads a text, or ends the command.
package func textOrExit(_ path: String) throws -> String {
    guard let text = String(validating: try bytesOrExit(path), as: UTF8.self) else {
        printError("\(path): is not UTF-8 text")
        throw Failure.badData
    }
    return text
}

/// Reads a secret, or ends the command; warns if other users of the machine can read it, too.
package func secretOrExit(_ path: String) throws -> String {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
    if attributes?[.type] as? FileAttributeType == .typeRegular, mode & 0o004 != 0 {
        printError("warning: \(path): every user of this machine can read this secret; chmod 600 keeps it to its owner")
    }
    return try textOrExit(path)
}
