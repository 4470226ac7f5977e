package import HTTPTypes
import Hummingbird
import HummingbirdCore
import TextFormats

/// Lets requests through that come from a page of this server, and gives all answers the headers that keep them safe.
///
/// A page elsewhere cannot read what is here without the secret in the path. `Host` must be this machine, which keeps out
/// names that are made to lead here (DNS rebinding); what changes something must come with an `Origin` that is this server.
///
/// A request that is refused takes its connection with it: connections are few, and who has no secret must not hold
/// one.
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

    /// The answer to a request that is let through.
    private func answer(
        to request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            // What a page loads stands beside it, and that is below the secret.
            guard request.uri.path != "/\(secret)" else { return .redirect(to: "/\(secret)/", type: .permanent) }
            return try await next(request, context)
        } catch let problem as PageProblem {
            return problem.response
        } catch let error as HTTPError {
            return PageProblem(error.status, error.status == .notFound ? "there is no such page" : "not understood")
                .response
        }
    }

    /// Why a request is not let through; nil for one that is.
    func refusal(of head: HTTPRequest) -> PageProblem? {
        // The first field is the authority. A proxy might go by the second (RFC 9112, section 3.2).
        if let host = HTTPField.Name("Host"), head.headerFields.contains(host) {
            return PageProblem(.badRequest, "Host must be there once")
        }
        guard let host = head.authority, Self.isHere(host) else {
            return PageProblem(.misdirectedRequest, "Host must be 127.0.0.1 or localhost")
        }
        // Compared without a hint of how much of it is right.
        let first = URI(head.path ?? "").path.split(separator: "/", maxSplits: 1).first.map { Array($0.utf8) } ?? []
        let wanted = Array(secret.utf8)
        var difference = first.count ^ wanted.count
        for (index, byte) in wanted.enumerated() { difference |= Int(byte ^ (index < first.count ? first[index] : 0)) }
        guard difference == 0 else {
            return PageProblem(.notFound, "the address is not complete: use the one that was printed")
        }
        let isReading = head.method == .get || head.method == .head
        let origin = head.headerFields[.origin]
        guard origin.map({ $0 == "http://\(host)" }) ?? isReading else {
            return PageProblem(.forbidden, "requests that start something must come from a page of this server")
        }
        return nil
    }

    /// Whether a `Host` names this machine.
    private static func isHere(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt16(parts[1]) != nil else { return false }
        return parts[0] == "127.0.0.1" || parts[0] == "localhost"
    }

    /// What every answer carries: nothing from elsewhere, no frames, no referrer, nothing kept.
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

/// Why a request to a page's server is not done, in a sentence.
package struct PageProblem: Error {
    private let status: HTTPResponse.Status
    private let sentence: String

    /// A refusal.
    package init(_ status: HTTPResponse.Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    /// The answer.
    var response: Response {
        var json = JSONText()
        json.add("problem", sentence)
        return .json(json.document, status: status)
    }
}
