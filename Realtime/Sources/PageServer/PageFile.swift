import CPages
package import Hummingbird
import NIOCore

/// A file of a page.
package struct PageFile: Sendable {
    /// The path below the server's address; empty for the page itself.
    package let path: String
    private let type: String
    private let bytes: ByteBuffer

    /// Creates a file; the extension determines its type.
    package init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = ByteBuffer(bytes: bytes)
        type =
            switch path.split(separator: ".").last ?? "" {
            case "js": "text/javascript; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "text/html; charset=utf-8"
            }
    }

    /// Creates a file of the program, with its name as the path by default.
    package init(embedded name: String, at path: String? = nil) {
        self.init(path ?? name, Array(String(cString: page_text(name)).utf8))
    }

    /// The files that every page loads: the given ones, and the page's elements and numbers.
    ///
    /// - Parameter texts: The style sheet, the charts and their library.
    package static func shared(_ texts: [(path: String, text: String)]) -> [PageFile] {
        texts.map { PageFile($0.path, Array($0.text.utf8)) } + [PageFile(embedded: "dom.js")]
    }

    /// The file as a response.
    package var response: Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }
}

extension RouterGroup {
    /// Adds routes that serve files.
    package func add(_ files: [PageFile]) {
        for file in files { get(RouterPath(file.path)) { _, _ in file.response } }
    }
}
