import HTTPTypes
import Hummingbird
import Servers
import Wire

/// Refuses requests that do not carry the secret, with 401.
///
/// `/health` is open, because process supervisors have no secret.
struct BearerAuthentication {
    /// The paths of requests without the secret.
    private static let open = MonitorRoute.allCases.filter { !$0.needsSecret }.map(\.template)

    let secret: Secret

    func check(_ request: Request) throws(RequestProblem) {
        guard BearerAuthentication.open.contains(request.uri.path) || isGood(request.headers[.authorization]) else {
            throw RequestProblem(
                .noSecret,
                what: "header authorization",
                got: request.headers[.authorization] == nil ? "none" : "another secret",
                allowed: "Bearer and the monitor's secret",
                headers: [.wwwAuthenticate: "Bearer"]
            )
        }
    }

    private func isGood(_ header: String?) -> Bool {
        guard let header, header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else { return false }
        return secret.isSame(as: header.dropFirst(7))
    }
}
