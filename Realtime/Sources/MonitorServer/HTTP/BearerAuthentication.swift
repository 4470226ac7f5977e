import HTTPTypes
import Hummingbird
import Wire

/// Passes requests that carry the secret, and responds to others with 401.
///
/// `/health` is open, because process supervisors have no secret.
struct BearerAuthentication: RouterMiddleware {
    typealias Context = MonitorContext

    /// The paths of requests without the secret.
    private static let open = MonitorRoute.allCases.filter { !$0.needsSecret }.map(\.template)

    private let secret: [UInt8]

    init(secret: String) {
        self.secret = Array(secret.utf8)
    }

    func handle(
        _ request: Request,
        context: MonitorContext,
        next: (Request, MonitorContext) async throws -> Response
    ) async throws -> Response {
        guard BearerAuthentication.open.contains(request.uri.path) || isGood(request.headers[.authorization]) else {
            throw RequestProblem(
                .noSecret,
                what: "header authorization",
                got: request.headers[.authorization] == nil ? "none" : "another secret",
                allowed: "Bearer and the monitor's secret",
                headers: [.wwwAuthenticate: "Bearer"]
            )
        }
        return try await next(request, context)
    }

    private func isGood(_ header: String?) -> Bool {
        guard let header, header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else { return false }
        return isSecret(Array(header.utf8.dropFirst(7)))
    }

    /// Compares in constant time, so that timing does not reveal where the texts differ.
    private func isSecret(_ candidate: [UInt8]) -> Bool {
        var difference = candidate.count ^ secret.count
        for index in candidate.indices { difference |= Int(candidate[index] ^ secret[index % secret.count]) }
        return difference == 0
    }
}
