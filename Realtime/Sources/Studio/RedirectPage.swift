import Foundation

/// A file that leads a browser to an address which other users of the machine must not learn.
///
/// Every user may read the arguments of every program. So a browser is given the name of this file, and the file, which
/// only its owner can read, has the address.
struct RedirectPage: Sendable {
    private let directory: URL
    private let file: URL

    /// Writes the file into a directory of its own; nil where none can be made.
    ///
    /// - Parameter environment: Says where the user's files have their place.
    init?(to address: String, _ environment: [String: String]) {
        var made: URL?
        for place in Self.places(environment) where made == nil { made = Self.directory(in: place) }
        guard let directory = made else { return nil }
        self.directory = directory
        file = directory.appending(path: "studio.html")
        // Without a script, which some browsers do not run in files. The file's name is not told to the server.
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>freshet studio</title>
            <p><a href="\(address)">To the studio</a></p>
            </html>

            """
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file.path, contents: Data(page.utf8), attributes: attributes)
        else {
            remove()
            return nil
        }
    }

    /// What a browser opens.
    var address: String { file.absoluteString }

    /// Takes the file and its directory away.
    func remove() { try? FileManager.default.removeItem(at: directory) }

    /// Where the directory may be, the best place first.
    ///
    /// A browser that runs in a sandbox may have a `/tmp` of its own, so the user's directories come first; that of the
    /// login is emptied at its end, too.
    private static func places(_ environment: [String: String]) -> [String] {
        [
            environment["XDG_RUNTIME_DIR"],
            environment["XDG_CACHE_HOME"],
            environment["HOME"].map { $0 + "/.cache" },
            FileManager.default.temporaryDirectory.path,
        ]
        // The XDG Base Directory Specification: what is no absolute path is ignored.
        .compactMap { $0 }.filter { $0.hasPrefix("/") }
    }

    /// A new directory of mode 0700; nil where it cannot be made.
    private static func directory(in place: String) -> URL? {
        var template = Array((place + "/freshet-studio-XXXXXX").utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
            return URL(filePath: String(cString: start), directoryHint: .isDirectory)
        }
    }
}
