import FreshnessCore
import HTTPTypes
import Hummingbird
import LiveActivityModel
import LoadGenerator
import Logging
import NIOCore
import Quantities
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
/// | request | answer |
/// |---|---|
/// | `PUT /v1/instances/{id}/token` `{token, generated_at_us?, stale_date?}` | 201 or 200, once it is durable |
/// | `DELETE /v1/instances/{id}/token` | 204, once it is durable and no push to the token is in flight |
/// | `PUT /v1/instances/{id}/content` `{content_state, …}` | 202 |
/// | `POST /v1/instances/{id}/end` `{dismissal_date?}` | 202 |
/// | `GET /v1/instances/{id}` · `GET /v1/instances?class=…&limit=…&after=…` | 200 |
/// | `GET /health` · `GET /metrics` | 200 |
///
/// A monitor with a shard of the instances responds to requests about other instances with 421.
///
/// Content may have `stale_date`, `generated_at_us`, `priority` and `renewable_for_s`.
struct MonitorAPI: Sendable {
    let monitor: Monitor
    let limits: MonitorLimits
    let clock: any MonitorClock

    /// Returns the routes, behind authentication and limits.
    ///
    /// Throws `PolicyError` for a rate out of range.
    func router(secret: String, logger: Logger) throws -> Router<MonitorContext> {
        let router = Router(context: MonitorContext.self)
        router.add(middleware: ErrorResponses(logger: logger))
        if let rate = limits.requestsPerSecond {
            router.add(middleware: try RateLimit(perSecond: rate, clock: clock))
        }
        router.add(middleware: BearerAuthentication(secret: secret))
        var routes = Routes(router: router)
        for route in MonitorRoute.allCases { routes.on(route) { try await answer(route, $0, $1) } }
        routes.refuseOtherMethods()
        return router
    }

    /// Records the methods of each path, to name them if a request has another one.
    private struct Routes {
        let router: Router<MonitorContext>
        var methods: [(path: String, methods: [HTTPRequest.Method])] = []

        mutating func on(
            _ route: MonitorRoute,
            _ handler: @escaping @Sendable (Request, MonitorContext) async throws -> Response
        ) {
            guard let method = HTTPRequest.Method(rawValue: route.method) else { return }
            let path = route.template
            router.on(RouterPath(path), method: method, use: handler)
            if let index = methods.firstIndex(where: { $0.path == path }) {
                methods[index].methods.append(method)
            } else {
                methods.append((path, [method]))
            }
        }

        func refuseOtherMethods() {
            let all: [HTTPRequest.Method] = [.get, .head, .put, .post, .delete, .patch, .options]
            for (path, good) in methods {
                let allowed = good.map(\.rawValue).joined(separator: ", ")
                for method in all where !good.contains(method) {
                    router.on(RouterPath(path), method: method) { _, _ -> Response in
                        throw RequestProblem(
                            status: .methodNotAllowed,
                            what: "method",
                            got: method.rawValue,
                            allowed: allowed,
                            headers: [.allow: allowed]
                        )
                    }
                }
            }
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
        }
    }

    // MARK: - Tokens

    private func publish(_ request: Request, _ context: MonitorContext) async throws -> Response {
        let id = try instance(context)
        let body = try TokenPublication(await request.bytes(limit: limits.bodyBytes))
        let shown = body.staleDate.map { ContentStamp(generatedAt: body.generatedAt ?? clock.now, staleDate: $0) }
        let isNew = try await monitor.publish(body.token, for: id, shown: shown)
        return state(id, isNew ? .created : .ok)
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
                status: .conflict,
                what: "field generated_at_us",
                got: generatedAt,
                allowed: "later than \(known.microseconds), which was announced before"
            )
        case .other:
            throw RequestProblem(
                status: .conflict,
                what: "field generated_at_us",
                got: "\(generatedAt), at which other content was announced",
                allowed: "a later one for other content"
            )
        case .ended:
            let what = "instance \(id.text)"
            throw RequestProblem(status: .conflict, what: what, got: "content", allowed: "none: the instance ends")
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
        for name in query.map(\.key) where !["class", "limit", "after"].contains(name) {
            throw misread("an unknown parameter", name, allowed: "class, limit, after")
        }
        let wanted = try query["class"]
            .map { (text) throws -> FreshnessClass in
                guard let wanted = FreshnessClass.allCases.first(where: { "\($0)" == text }) else {
                    let allowed = FreshnessClass.allCases.map { "\($0)" }.joined(separator: ", ")
                    throw misread("parameter class", text, allowed: allowed)
                }
                return wanted
            }
        let limit = try number(query["limit"], name: "limit", in: 1...1000) ?? 100
        let after = try number(query["after"], name: "after", in: 0...Int(Int32.max)) ?? 0
        return await monitor.page(of: wanted, from: after, limit: limit).json.response(.ok)
    }

    private func number(_ text: Substring?, name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), range ~= number else {
            throw misread("parameter \(name)", text, allowed: "\(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func misread(_ what: String, _ text: some StringProtocol, allowed: String) -> RequestProblem {
        RequestProblem(status: .badRequest, what: what, got: String(text.prefix(32)), allowed: allowed)
    }

    private func health() async -> Response {
        let report = await monitor.report()
        let now = clock.now.microseconds
        return MonitorHealth(instances: report.instances, nowMicroseconds: now, speed: clock.speed).json.response(.ok)
    }

    private func metrics() async -> Response {
        let text = await monitor.report().text
        return Response(
            status: .ok,
            headers: [.contentType: OpenMetricsText.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    // MARK: - Pieces

    private func instance(_ context: MonitorContext) throws -> InstanceID {
        let text = context.parameters.get("id") ?? ""
        guard let id = InstanceID(text) else {
            let got = "a name of \(text.utf8.count) bytes"
            throw RequestProblem(status: .badRequest, what: "instance", got: got, allowed: InstanceID.rule)
        }
        guard id.isOf(limits.shard) else {
            let (what, allowed) = ("instance \(id.text)", "instances of shard \(limits.shard.text)")
            throw RequestProblem(
                status: .misdirectedRequest,
                what: what,
                got: "an instance of another shard",
                allowed: allowed
            )
        }
        return id
    }

    private func unknown(_ id: InstanceID) -> RequestProblem {
        RequestProblem(status: .notFound, what: "instance \(id.text)", got: "no such instance")
    }

    private func state(_ id: InstanceID, _ status: HTTPResponse.Status) -> Response {
        var json = JSONText()
        json.add("instance", id.text)
        return json.response(status)
    }
}
