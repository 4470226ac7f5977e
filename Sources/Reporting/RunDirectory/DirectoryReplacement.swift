internal import Foundation

/// A directory under construction, hidden beside the one that it will replace.
///
/// Files are written by system calls, because Foundation often hides the reason of a failure.
struct DirectoryReplacement: Hashable, Sendable {
    let target: String
    /// The path of the new directory, in the same parent: names can be exchanged only within a file system.
    let partial: String

    /// Creates the replacement of a directory by this process.
    init(of target: String) {
        let url = URL(fileURLWithPath: target)
        self.target = target
        partial = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).partial-\(getpid())"
    }

    /// Creates the empty hidden directory, and its parents.
    func prepare() throws(RunDirectoryError) {
        discard()
        discardAbandoned()
        try makeDirectory(partial)
    }

    /// Removes the hidden directories of processes that were killed while writing to the same place.
    private func discardAbandoned() {
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        let prefix = ".\(URL(fileURLWithPath: target).lastPathComponent).partial-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            // A set that was moved aside has a longer name, and holds results.
            guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: parent + "/" + name)
        }
    }

    func write(_ text: String, to path: String) throws(RunDirectoryError) {
        try makeParent(of: path)
        let path = partial + "/" + path
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
        guard file >= 0 else { throw .refusal("writing", path) }
        var bytes = ContiguousArray(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { break }
            bytes = bytes.dropFirst(max(0, count))
        }
        // Some file systems report a full disk only on closing.
        let reason = bytes.isEmpty ? nil : errno
        guard close(file) == 0, reason == nil else { throw .refusal("writing", path, reason ?? errno) }
    }

    func copy(from source: String, to path: String) throws(RunDirectoryError) {
        try makeParent(of: path)
        try RunDirectory.attempt("copying", source) {
            try FileManager.default.copyItem(atPath: source, toPath: partial + "/" + path)
        }
    }

    /// Replaces the old set by the new one.
    ///
    /// - Parameter isNew: `true` if there is no old set; an empty directory may exist.
    func commit(isNew: Bool) throws(RunDirectoryError) {
        if isNew {
            // A directory can replace an empty one.
            try rename(partial, target)
        } else if exchange() {
            discard()
        } else {
            try replaceInTwoSteps()
        }
    }

    /// Removes the hidden directory, if it exists.
    func discard() {
        // A hidden rest does no harm, and the error that led here matters more.
        try? FileManager.default.removeItem(atPath: partial)
    }

    /// Moves the old set aside, then the new one into place, for file systems that cannot exchange names.
    ///
    /// If the second step fails, the old set moves back.
    ///
    /// A kill between the two steps leaves both sets complete, under hidden names.
    func replaceInTwoSteps() throws(RunDirectoryError) {
        let aside = partial + "-old"
        try rename(target, aside)
        do {
            try rename(partial, target)
        } catch {
            try rename(aside, target)
            throw error
        }
        try RunDirectory.attempt("removing", aside) { try FileManager.default.removeItem(atPath: aside) }
    }

    /// Exchanges the names of the two directories in one step; returns false if the file system or the kernel cannot.
    private func exchange() -> Bool {
        #if canImport(Darwin)
        return renamex_np(partial, target, UInt32(RENAME_SWAP)) == 0
        #else
        // Glibc has the function, but declares it only for sources that enable GNU extensions, which Swift does not.
        typealias Exchange =
            @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return false }
        let renameExchange: UInt32 = 2
        return unsafeBitCast(symbol, to: Exchange.self)(AT_FDCWD, partial, AT_FDCWD, target, renameExchange) == 0
        #endif
    }

    private func rename(_ from: String, _ to: String) throws(RunDirectoryError) {
        guard Foundation.rename(from, to) == 0 else { throw .refusal("renaming \(from) to", to) }
    }

    private func makeParent(of path: String) throws(RunDirectoryError) {
        try makeDirectory(URL(fileURLWithPath: partial + "/" + path).deletingLastPathComponent().path)
    }

    /// Creates a directory and its parents if they do not exist.
    private func makeDirectory(_ path: String) throws(RunDirectoryError) {
        if mkdir(path, 0o777) == 0 { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT where path.contains("/"):
            try makeDirectory(URL(fileURLWithPath: path).deletingLastPathComponent().path)
            if mkdir(path, 0o777) != 0 { fallthrough }
        default:
            throw .refusal("making the directory", path)
        }
    }
}

extension RunDirectoryError {
    /// Returns the error for a step that the system refused, with its number.
    fileprivate static func refusal(_ step: String, _ path: String, _ number: Int32 = errno) -> RunDirectoryError {
        .refused(step: step, path: path, reason: String(cString: strerror(number)))
    }
}
