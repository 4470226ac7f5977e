import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import Servers
import Wire

/// Refuses requests that exceed the rate or lack the secret, and converts every error to a structured one.
///
/// An unknown error becomes a 500 without details.
struct MonitorGuard: RouterMiddleware {
    typealias Context = MonitorContext

    let logger: Logger
    let rate: RateLimit?
    let authentication: BearerAuthentication

    func handle(
        _ request: Request,
        context: MonitorContext,
        next: (Request, MonitorContext) async throws -> Response
    ) async throws -> Response {
        guard !request.head.hasOtherTransferCoding else { return Self.otherCoding.response }
        guard !request.head.hasSecondHost else { return Self.malformed.response }
        do {
            try rate?.check(context)
            try authentication.check(request)
            return try await next(request, context)
        } catch let problem as RequestProblem {
            return problem.response
        } catch let error as MonitorBodyError {
            let (what, got, allowed) = (error.what, error.got, error.allowed)
            return RequestProblem(.invalid, what: what, got: got, allowed: allowed).response
        } catch let error as RegistryError {
            logger.error("\(error)")
            var problem = RequestProblem(.unavailable, what: "the token registry")
            problem.got = "a failure to write"
            problem.headers = [.retryAfter: "1"]
            return problem.response
        } catch is HTTPParserError {
            return Self.malformed.response
        } catch let error as HTTPError where error.status == .notFound {
            return RequestProblem.noRoute(to: request).response
        } catch let error as HTTPError {
            return RequestProblem(status: error.status, what: "request").response
        } catch is CancellationError {
            return RequestProblem(.unavailable, what: "the monitor is stopping").response
        } catch {
            logger.error("a request failed: \(type(of: error))")
            return RequestProblem(.failure, what: "the monitor").response
        }
    }

    /// An unknown transfer coding; the connection closes after the response.
    private static let otherCoding = RequestProblem(
        .otherCoding,
        what: "header transfer-encoding",
        got: "another coding",
        allowed: "chunked, or none",
        headers: [.connection: "close"]
    )

    /// A body of ambiguous length, or two hosts; the connection closes after the response.
    private static let malformed = RequestProblem(
        .invalid,
        what: "the request",
        got: "malformed HTTP",
        allowed: "HTTP/1.1",
        headers: [.connection: "close"]
    )
}
