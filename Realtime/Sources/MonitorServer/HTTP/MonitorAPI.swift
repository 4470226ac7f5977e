import FreshnessCore
import HTTPTypes
import Hummingbird
import LiveActivityModel
import LoadGenerator
import Logging
import NIOCore
import Quantities
import Servers
import TextFormats
import Wire

/// The context of a request: its sender.
struct MonitorContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

/// The monitor's API: JSON over HTTP, under `/v1`.
///
/// ``MonitorRoute`` declares the requests with their fields, parameters, answers and refusals. This type carries them out, and
/// ``MonitorOpenAPI`` describes them.
struct MonitorAPI: Sendable {
    let monitor: Monitor
    let limits: MonitorLimits
    let clock: any MonitorClock

    /// Returns the routes, behind authentication and limits.
    ///
    /// Throws `PolicyError` for a rate out of range.
    func router(secret: String, logger: Logger) throws -> Router<MonitorContext> {
        let router = Router(context: MonitorContext.self)
        let rate = try limits.requestsPerSecond.map { try RateLimit(perSecond: $0, clock: clock) }
        let authentication = BearerAuthentication(secret: Secret(secret))
        router.add(middleware: MonitorGuard(logger: logger, rate: rate, authentication: authentication))
        for route in MonitorRoute.allCases {
            guard let method = HTTPRequest.Method(rawValue: route.method) else { continue }
            router.on(RouterPath(route.template), method: method) { try await declared(route, $0, $1) }
        }
        return router
    }

    /// Answers a request; in debug builds, a status that the route does not declare is a failure.
    private func declared(_ route: MonitorRoute, _ request: Request, _ context: MonitorContext) async throws -> Response
    {
        func check(_ status: HTTPResponse.Status, _ declared: [Int]) {
            assert(declared.contains(status.code), "\(route) does not declare the status \(status.code)")
        }
        do {
            let response = try await answer(route, request, context)
            check(response.status, route.answers.map(\.status))
            return response
        } catch let problem as RequestProblem {
            check(problem.status, route.refusals.map(\.rawValue))
            throw problem
        }
    }

    private func answer(_ route: MonitorRoute, _ request: Request, _ context: MonitorContext) async throws -> Response {
        switch route {
        case .publish: try await publish(request, context)
        case .withdraw: try await withdraw(context)
        case .announce: try await announce(request, context)
        case .end: try await end(request, context)
        case .read: try await show(context)
        case .list: try await list(request)
        case .health: await health()
        case .metrics: await metrics()
        case .openAPI: .json(MonitorOpenAPI.document.text)
        }
    }

    // MARK: - Tokens

    private func publish(_ request: Request, _ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        let body = try TokenPublication(await request.bytes(limit: limits.bodyBytes))
        let shown = body.staleDate.map { ContentStamp(generatedAt: body.generatedAt ?? clock.now, staleDate: $0) }
        switch try await monitor.publish(body.address, for: id, shown: shown) {
        case .only: return state(id, .created)
        case .replaced: return state(id, .ok)
        case .ends: return state(id, .accepted)
        case .refused: throw ending(id, got: body.address.token == nil ? "a channel" : "a token")
        }
    }

    private func withdraw(_ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        guard try await monitor.withdraw(id) else { throw unknown(id) }
        return Response(status: .noContent)
    }

    // MARK: - Content and end

    private func announce(_ request: Request, _ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        let body = try ContentAnnouncement(await request.bytes(limit: limits.bodyBytes))
        let generatedAt = body.generatedAt.map { "\($0.microseconds)" } ?? "none"
        switch try await monitor.announce(body, for: id) {
        case .new, .repeated:
            return state(id, .accepted)
        case .older(let known):
            throw RequestProblem(
                .conflict,
                what: "field generated_at_us",
                got: generatedAt,
                allowed: "later than \(known.microseconds), which was announced before"
            )
        case .other:
            throw RequestProblem(
                .conflict,
                what: "field generated_at_us",
                got: "\(generatedAt), at which other content was announced",
                allowed: "a later one for other content"
            )
        case .ended:
            throw ending(id, got: "content")
        }
    }

    private func end(_ request: Request, _ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        let body = try EndRequest(await request.bytes(limit: limits.bodyBytes))
        guard try await monitor.end(id, dismissalDate: body.dismissalDate) else { throw unknown(id) }
        return state(id, .accepted)
    }

    // MARK: - Reading

    private func show(_ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        guard let view = await monitor.view(of: id) else { throw unknown(id) }
        var json = JSONText()
        view.write(to: &json)
        return json.response(.ok)
    }

    private func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let names = MonitorRoute.list.parameters.map(\.rawValue)
        for name in query.map(\.key) where !names.contains(String(name)) {
            throw misread("an unknown parameter", name, allowed: names.joined(separator: ", "))
        }
        func value<Value>(_ parameter: MonitorParameter, _ read: (Substring) -> Value?) throws -> Value? {
            guard let text = query[Substring(parameter.rawValue)] else { return nil }
            guard let value = read(text) else {
                throw misread("parameter \(parameter.rawValue)", text, allowed: parameter.allowed)
            }
            return value
        }
        func number(_ parameter: MonitorParameter) throws -> Int {
            let number = try value(parameter) { text in
                Int(text).flatMap { parameter.range?.contains($0) == true ? $0 : nil }
            }
            return number ?? parameter.absent ?? 0
        }
        let wanted = try value(.freshness) { text in FreshnessClass.allCases.first { "\($0)" == text } }
        return await monitor.page(of: wanted, from: try number(.after), limit: try number(.limit)).json.response(.ok)
    }

    private func misread(_ what: String, _ text: some StringProtocol, allowed: String) -> RequestProblem {
        RequestProblem(.invalid, what: what, got: String(text.prefix(32)), allowed: allowed)
    }

    private func health() async -> Response {
        let report = await monitor.report()
        let now = clock.now.microseconds
        return MonitorHealth(instances: report.instances, nowMicroseconds: now, speed: clock.speed).json.response(.ok)
    }

    private func metrics() async -> Response {
        Response(.ok, await monitor.report().text, type: OpenMetricsText.contentType)
    }

    // MARK: - Pieces

    private func instance(_ context: MonitorContext) throws -> InstanceID {
        let text = context.parameters.get("id") ?? ""
        guard let id = InstanceID(text) else {
            let got = "a name of \(text.utf8.count) bytes"
            throw RequestProblem(.invalid, what: "instance", got: got, allowed: InstanceID.rule)
        }
        guard id.isOf(limits.shard) else {
            let (what, allowed) = ("instance \(id.text)", "instances of shard \(limits.shard.text)")
            throw RequestProblem(
                .otherShard,
                what: what,
                got: "an instance of another shard",
                allowed: allowed
            )
        }
        return id
    }

    private func unknown(_ id: InstanceID) -> RequestProblem {
        RequestProblem(.unknown, what: "instance \(id.text)", got: "no such instance")
    }

    private func ending(_ id: InstanceID, got: String) -> RequestProblem {
        RequestProblem(.conflict, what: "instance \(id.text)", got: got, allowed: "none: the instance ends")
    }

    private func state(_ id: InstanceID, _ status: HTTPResponse.Status) -> Response {
        var json = JSONText()
        json.add("instance", id.text)
        return json.response(status)
    }
}
