import Foundation

/// Writes a report beside the results, or ends the command.
public func writeOrExit(_ text: String, to path: String) throws {
    do {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
        printError("\(path): cannot be written: \((error as NSError).localizedDescription)")
        throw Failure.cannotWrite
    }
}

/// Writes a file atomically, or ends the command.
///
/// - Parameter mode: The permissions, which the file has from the beginning.
public func writeWholeOrExit(_ text: String, to path: String, mode: Int) throws {
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
