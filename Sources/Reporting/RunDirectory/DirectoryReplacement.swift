internal import Foundation

/// A directory in the making, hidden beside the one whose place it is to take.
///
/// Files are written by the system's own calls: Foundation often keeps the reason of a failure to itself.
struct DirectoryReplacement: Hashable, Sendable {
    let target: String
    /// Where the new one is made: in the same parent, for names are traded only within a file system.
    let partial: String

    /// The replacement of a directory, by this process.
    init(of target: String) {
        let url = URL(fileURLWithPath: target)
        self.target = target
        partial = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).partial-\(getpid())"
    }

    /// Makes the hidden directory, empty, and its parents.
    func prepare() throws(RunDirectoryError) {
        discard()
        discardAbandoned()
        try makeDirectory(partial)
    }

    /// Removes what processes that were killed while writing have left behind in the same place.
    private func discardAbandoned() {
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        let prefix = ".\(URL(fileURLWithPath: target).lastPathComponent).partial-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            // A set moved aside has a longer name, and holds results.
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
        // Some file systems tell only on closing that they are full.
        let reason = bytes.isEmpty ? nil : errno
        guard close(file) == 0, reason == nil else { throw .refusal("writing", path, reason ?? errno) }
    }

    func copy(from source: String, to path: String) throws(RunDirectoryError) {
        try makeParent(of: path)
        try RunDirectory.attempt("copying", source) {
            try FileManager.default.copyItem(atPath: source, toPath: partial + "/" + path)
        }
    }

    /// Puts the new set in the old one's place.
    ///
    /// - Parameter isNew: Whether there is no old set; there may be an empty directory.
    func commit(isNew: Bool) throws(RunDirectoryError) {
        if isNew {
            // A directory may take the place of an empty one.
            try rename(partial, target)
        } else if exchange() {
            discard()
        } else {
            try replaceInTwoSteps()
        }
    }

    /// Removes what was made, if anything was.
    func discard() {
        // What cannot be removed is hidden and harmless, and the error that led here matters more.
        try? FileManager.default.removeItem(atPath: partial)
    }

    /// For file systems that cannot trade names: moves the old set aside, and back if the new one cannot follow.
    ///
    /// A kill between the two steps leaves both sets complete, but under hidden names.
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

    /// Lets the two directories trade names, in one step; false if the file system or the kernel cannot.
    private func exchange() -> Bool {
        #if canImport(Darwin)
        return renamex_np(partial, target, UInt32(RENAME_SWAP)) == 0
        #else
        // Glibc has the function, but shows it only to sources that ask for GNU's own additions, as Swift's do not.
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

    /// Makes a directory and its parents, unless they are there.
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
    /// A step that the system refused with a number.
    fileprivate static func refusal(_ step: String, _ path: String, _ number: Int32 = errno) -> RunDirectoryError {
        .refused(step: step, path: path, reason: String(cString: strerror(number)))
    }
}
