import HTTPTypes
import Hummingbird
import Servers
import Wire

/// Passes requests that carry the secret, and responds to others with 401.
///
/// `/health` is open, because process supervisors have no secret.
struct BearerAuthentication: RouterMiddleware {
    typealias Context = MonitorContext

    /// The paths of requests without the secret.
    private static let open = MonitorRoute.allCases.filter { !$0.needsSecret }.map(\.template)

    let secret: Secret

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
        return secret.isSame(as: header.dropFirst(7))
    }
}
