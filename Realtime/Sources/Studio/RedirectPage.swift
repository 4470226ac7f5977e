import Foundation

/// A file that redirects a browser to an address that other users of the machine must not learn.
///
/// Every user can read the arguments of every program. So a browser receives the name of this file; the file holds the
/// address and only its owner can read it.
struct RedirectPage: Sendable {
    private let directory: URL
    private let file: URL

    /// Writes the file into a directory of its own; returns `nil` if no directory can be created.
    ///
    /// - Parameter environment: The environment variables that locate the user's directories.
    init?(to address: String, _ environment: [String: String]) {
        var made: URL?
        for place in Self.places(environment) where made == nil { made = Self.directory(in: place) }
        guard let directory = made else { return nil }
        self.directory = directory
        file = directory.appending(path: "studio.html")
        // Without a script, because some browsers do not run scripts in local files. The file's name is not sent to the
        // server.
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

    /// The address to give to a browser.
    var address: String { file.absoluteString }

    /// Removes the file and its directory.
    func remove() { try? FileManager.default.removeItem(at: directory) }

    /// The candidate locations of the directory, the best first.
    ///
    /// A browser in a sandbox may have its own `/tmp`, so the user's directories come first. The login's runtime
    /// directory is also emptied when the login ends.
    private static func places(_ environment: [String: String]) -> [String] {
        [
            environment["XDG_RUNTIME_DIR"],
            environment["XDG_CACHE_HOME"],
            environment["HOME"].map { $0 + "/.cache" },
            FileManager.default.temporaryDirectory.path,
        ]
        // The XDG Base Directory Specification says to ignore relative paths.
        .compactMap { $0 }.filter { $0.hasPrefix("/") }
    }

    /// Creates a directory of mode 0700; returns `nil` on failure.
    private static func directory(in place: String) -> URL? {
        var template = Array((place + "/freshet-studio-XXXXXX").utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
            return URL(filePath: String(cString: start), directoryHint: .isDirectory)
        }
    }
}
