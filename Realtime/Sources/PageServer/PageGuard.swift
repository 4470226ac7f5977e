package import HTTPTypes
import Hummingbird
import HummingbirdCore
import Servers
import TextFormats

/// Accepts requests from pages of this server only, and adds security headers to all responses.
///
/// A page elsewhere cannot read anything here without the secret in the path. `Host` must be this machine, which
/// rejects names that resolve to this machine on purpose (DNS rebinding). A request that changes something must have an
/// `Origin` that is this server.
///
/// A refused request closes its connection: connections are few, and a client without the secret must not hold one.
struct PageGuard: RouterMiddleware {
    typealias Context = BasicRequestContext

    let secret: String

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        if let problem = refusal(of: request.head) {
            response = problem.response
            response.headers[.connection] = "close"
        } else {
            response = try await answer(to: request, context: context, next: next)
        }
        for (name, value) in Self.headers { response.headers[name] = value }
        return response
    }

    /// Responds to an accepted request.
    private func answer(
        to request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            // The files that a page loads have relative addresses, which must be below the secret.
            guard request.uri.path != "/\(secret)" else { return .redirect(to: "/\(secret)/", type: .permanent) }
            return try await next(request, context)
        } catch let problem as PageProblem {
            return problem.response
        } catch let error as HTTPError {
            return PageProblem(error.status, error.status == .notFound ? "there is no such page" : "invalid request")
                .response
        }
    }

    /// Returns why a request is refused; `nil` if it is accepted.
    func refusal(of head: HTTPRequest) -> PageProblem? {
        guard !head.hasSecondHost else { return PageProblem(.badRequest, "Host must be present exactly once") }
        guard let host = head.authority, Self.isHere(host) else {
            return PageProblem(.misdirectedRequest, "Host must be 127.0.0.1 or localhost")
        }
        let first = URI(head.path ?? "").path.split(separator: "/", maxSplits: 1).first
        guard Secret(secret).isSame(as: first ?? "") else {
            return PageProblem(.notFound, "the address is incomplete: use the printed one")
        }
        let isReading = head.method == .get || head.method == .head
        let origin = head.headerFields[.origin]
        guard origin.map({ $0 == "http://\(host)" }) ?? isReading else {
            return PageProblem(.forbidden, "requests that change something must come from a page of this server")
        }
        return nil
    }

    /// Returns `true` if a `Host` names this machine.
    private static func isHere(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt16(parts[1]) != nil else { return false }
        return parts[0] == "127.0.0.1" || parts[0] == "localhost"
    }

    /// The headers of every response: no content from elsewhere, no frames, no referrer, no caching.
    private static let headers: [(HTTPField.Name, String)] =
        [
            (
                .contentSecurityPolicy,
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            (.xContentTypeOptions, "nosniff"),
            (.cacheControl, "no-store"),
        ]
        + [("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin")]
        .compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}

/// A refusal of a request to a page server, with one sentence for the user.
package struct PageProblem: Error {
    private let status: HTTPResponse.Status
    private let sentence: String

    /// Creates a refusal.
    package init(_ status: HTTPResponse.Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    /// The refusal as a response.
    var response: Response {
        var json = JSONText()
        json.add("problem", sentence)
        return .json(json.document, status: status)
    }
}
