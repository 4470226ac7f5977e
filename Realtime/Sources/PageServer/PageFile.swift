package import HTTPTypes
package import Hummingbird
import NIOCore

/// A file that a page consists of.
package struct PageFile: Sendable {
    /// Its path below the server's address; empty for the page itself.
    package let path: String
    private let type: String
    private let bytes: ByteBuffer

    /// A file; its type follows from its name.
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

    /// The file as an answer.
    package var response: Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }
}

extension RouterGroup {
    /// Serves files.
    package func add(_ files: [PageFile]) {
        for file in files { get(RouterPath(file.path)) { _, _ in file.response } }
    }
}

extension Response {
    /// A JSON document.
    package static func json(_ document: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: document))
        )
    }
}
