import HTTPTypes
import Hummingbird
import NIOCore
import Servers
import TextFormats
import Wire

/// A query of the request log: `token=` and `limit=`, each at most once.
struct RequestQuery: Hashable, Sendable {
    /// The device token in lowercase digits; `nil` for any.
    private(set) var token: String?
    /// The maximum number of requests in the response.
    private(set) var limit = 100

    /// The highest limit, because a response is built in memory.
    static var highestLimit: Int { 1000 }

    /// An invalid query.
    struct Refusal: Error, Hashable {
        let error: String
        let got: String
        let allowed: String
    }

    /// Reads the part of an address after the question mark.
    init(_ text: String?) throws(Refusal) {
        var names: Set<Substring> = []
        for part in (text ?? "").split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (sides[0], sides.count == 2 ? sides[1] : "")
            guard names.insert(name).inserted else {
                throw Refusal(
                    error: "a parameter appears twice",
                    got: ["token", "limit"].contains(name) ? "two of \(name)" : "two of another",
                    allowed: "token and limit, each at most once"
                )
            }
            switch name {
            case "token":
                // No message quotes a token.
                guard let token = DeviceToken(hexadecimal: value.utf8) else {
                    throw Refusal(
                        error: "token is not a device token",
                        got: Self.description(ofToken: value),
                        allowed: "an even number of hexadecimal digits, 2 to \(2 * DeviceToken.largestByteCount)"
                    )
                }
                self.token = token.hexadecimal
            case "limit":
                guard let limit = Int(value), (1...RequestQuery.highestLimit).contains(limit) else {
                    throw Refusal(
                        error: "limit is out of range",
                        got: Int(value).map { "\($0)" } ?? (value.isEmpty ? "nothing" : "not a whole number"),
                        allowed: "a whole number, 1 to \(RequestQuery.highestLimit)"
                    )
                }
                self.limit = limit
            default:
                throw Refusal(error: "unknown parameter", got: Self.excerpt(name), allowed: "token, limit")
            }
        }
    }

    /// The reason why a text is not a token, without any part of the text.
    private static func description(ofToken value: Substring) -> String {
        let count = value.utf8.count
        guard count > 0 else { return "nothing" }
        let others = value.utf8.count { !Character(Unicode.Scalar($0)).isHexDigit }
        return others == 0
            ? "\(count) hexadecimal digits" : "\(count) characters, \(others) of them not hexadecimal digits"
    }

    /// The name of a parameter for a message: at most 20 characters, and nothing that could be a token.
    private static func excerpt(_ name: Substring) -> String {
        let isName = name.utf8.count <= 20 && name.utf8.allSatisfy { ($0 | 0x20) > 0x60 && ($0 | 0x20) < 0x7B }
        return isName && !name.isEmpty ? String(name) : "another name"
    }
}

extension RequestLog {
    /// The path of the log.
    static var path: String { "/requests" }

    /// Responds with the log's newest entries, one JSON object per line.
    func answer(_ request: Request) -> Response {
        guard request.method == .get else { return Self.response(.methodNotAllowed, "") }
        guard keepsRequests else {
            return refusal(.notFound, "no requests are kept", got: "--keep-requests 0", allowed: "--keep-requests N")
        }
        // A page elsewhere whose name resolves to this machine must not read what riders see.
        guard request.head.authority.map(Self.isAddress) ?? false else {
            return refusal(
                .misdirectedRequest,
                "Host is a domain name",
                got: "a domain",
                allowed: "an IP address, localhost, a name without dots"
            )
        }
        do throws(RequestQuery.Refusal) {
            let query = try RequestQuery(request.uri.query)
            let lines = newest(query.limit, token: query.token).map { $0.line + "\n" }
            return Self.response(.ok, lines.joined(), type: "application/x-ndjson")
        } catch {
            return refusal(.badRequest, error.error, got: error.got, allowed: error.allowed)
        }
    }

    /// Returns `true` if a `Host` cannot be a domain of the Internet.
    static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return true }
        let name = host.prefix { $0 != ":" }
        return !name.isEmpty && (!name.contains(".") || (try? SocketAddress(ipAddress: String(name), port: 0)) != nil)
    }

    private func refusal(_ status: HTTPResponse.Status, _ error: String, got: String, allowed: String) -> Response {
        var json = JSONText()
        json.add("error", error)
        json.add("got", got)
        json.add("allowed", allowed)
        return Self.response(status, json.document, type: "application/json")
    }

    private static func response(
        _ status: HTTPResponse.Status,
        _ text: String,
        type: String = "text/plain"
    ) -> Response {
        Response(status, text, type: type, headers: [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"])
    }
}
