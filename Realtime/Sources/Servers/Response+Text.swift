package import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

extension Response {
    /// Creates a response with a text.
    package init(
        _ status: HTTPResponse.Status,
        _ text: String,
        type: String = "text/plain",
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = type
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns a response with a JSON document.
    package static func json(
        _ document: String,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> Response {
        Response(status, document, type: "application/json", headers: headers)
    }
}
