import Experiments
import Foundation
import Reporting

/// Writes a file atomically, or ends the command.
///
/// - Parameter mode: The permissions, which the file has from the beginning.
package func writeWholeOrExit(_ text: String, to path: String, mode: Int) throws {
    let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
    // An earlier process with the same id may have been killed while it wrote.
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
    let isWritten =
        descriptor >= 0 && fchmod(descriptor, mode_t(mode)) == 0
        && (try? FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(text.utf8))) != nil
    guard descriptor < 0 || close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
        unlink(temporary)
        printError("cannot write \(path)")
        throw Failure.cannotWrite
    }
}

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
