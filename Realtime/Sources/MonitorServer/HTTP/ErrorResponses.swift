import HTTPTypes
import Hummingbird
import Logging
import Wire

/// Turns whatever is thrown into a structured error; what it does not know becomes a 500 that tells nothing.
struct ErrorResponses: RouterMiddleware {
    typealias Context = MonitorContext

    let logger: Logger

    func handle(
        _ request: Request,
        context: MonitorContext,
        next: (Request, MonitorContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as RequestProblem {
            return problem.response
        } catch let error as MonitorBodyError {
            return RequestProblem(.badRequest, what: error.what, got: error.got, allowed: error.allowed).response
        } catch let error as RegistryError {
            logger.error("\(error)")
            let problem = RequestProblem(
                .serviceUnavailable,
                what: "the token registry",
                got: "a failure to write",
                headers: [.retryAfter: "1"]
            )
            return problem.response
        } catch let error as HTTPError {
            return RequestProblem(error.status, what: error.status == .notFound ? "path" : "request").response
        } catch is CancellationError {
            return RequestProblem(.serviceUnavailable, what: "the monitor is stopping").response
        } catch {
            logger.error("a request failed: \(type(of: error))")
            return RequestProblem(.internalServerError, what: "the monitor").response
        }
    }
}
