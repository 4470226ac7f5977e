import HTTPTypes
import Hummingbird
import NIOCore
import Servers
import TextFormats
import Wire

/// The reason why a request fails: the invalid part, the value received, and the allowed values; never a token or
/// content.
struct RequestProblem: Error {
    let status: HTTPResponse.Status
    let what: String
    var got: String?
    var allowed: String?
    var headers: HTTPFields = [:]

    /// Creates a problem with the status of a refusal.
    init(
        _ refusal: MonitorRefusal,
        what: String,
        got: String? = nil,
        allowed: String? = nil,
        headers: HTTPFields = [:]
    ) {
        self.init(status: HTTPResponse.Status(code: refusal.rawValue), what: what)
        self.got = got
        self.allowed = allowed
        self.headers = headers
    }

    /// The problem of a request that no route accepts: another method than those of its path, or an unknown path.
    static func noRoute(to request: Request) -> RequestProblem {
        let methods = MonitorRoute.methods(ofPath: request.uri.path).joined(separator: ", ")
        guard !methods.isEmpty else { return RequestProblem(.unknown, what: "path") }
        let got = String(request.method.rawValue.prefix(32))
        return RequestProblem(.otherMethod, what: "method", got: got, allowed: methods, headers: [.allow: methods])
    }

    /// Creates a problem that the router has found.
    init(status: HTTPResponse.Status, what: String) {
        self.status = status
        self.what = what
    }

    /// The response with the structured error.
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
    /// Returns the whole document as a response.
    func response(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        .json(document + "\n", status: status, headers: headers)
    }
}

extension Request {
    /// Reads the body; throws if it exceeds the limit.
    func bytes(limit: Int) async throws -> [UInt8] {
        func tooLarge(_ got: String) -> RequestProblem {
            RequestProblem(.tooLarge, what: "body", got: got, allowed: "at most \(limit) bytes")
        }
        if let text = headers[.contentLength], let length = Int(text), length > limit {
            throw tooLarge("\(length) bytes")
        }
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw tooLarge("more")
        }
    }
}
