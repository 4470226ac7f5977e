package import HTTPTypes
package import Hummingbird
import NIOCore
import TextFormats

/// Why a request is not done: what, what came, what may come; never a token or content.
package struct RequestProblem: Error, HTTPResponseError, Sendable {
    /// The status of the response.
    package let status: HTTPResponse.Status
    private let what: String
    private let got: String?
    private let allowed: String?
    private let headers: HTTPFields

    /// A problem.
    package init(
        _ status: HTTPResponse.Status,
        what: String,
        got: String? = nil,
        allowed: String? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.what = what
        self.got = got
        self.allowed = allowed
        self.headers = headers
    }

    /// The structured error.
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        response
    }

    var response: Response {
        var error = JSONText()
        error.begin("error")
        error.add("status", status.code)
        error.add("what", what)
        error.add("got", got)
        error.add("allowed", allowed)
        error.end()
        return error.response(status, headers: headers)
    }
}

extension JSONText {
    /// The whole document as a response.
    func response(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        let body = ResponseBody(byteBuffer: ByteBuffer(string: document + "\n"))
        return Response(status: status, headers: headers, body: body)
    }
}
