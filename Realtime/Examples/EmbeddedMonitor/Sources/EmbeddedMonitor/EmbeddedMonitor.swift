import FreshnessCore
import HTTPTypes
import Hummingbird
import Logging
import Quantities

/// The service: `swift run EmbeddedMonitor`, then send requests to port 8080.
///
/// | request | answer |
/// |---|---|
/// | `PUT /rides/{ride}` `{"token": "…", "staleAfterSeconds": 120}` | 204: monitored |
/// | `PUT /rides/{ride}/content` `{"content": "…", "staleAfterSeconds": 120}` | 202: pushed |
/// | `DELETE /rides/{ride}` | 202: its activity is ended |
/// | `POST /pushes/{number}` `{}` or `{"refusal": "Unregistered"}` | 204: APNs' response to a push |
/// | `GET /rides/{ride}` | 200: `{"freshness": "recoverable"}` |
///
/// An unknown ride or push gets 404, an unreadable body 400.
@main
struct EmbeddedMonitor {
    struct Registration: Decodable {
        var token: String
        var staleAfterSeconds: UInt32
    }

    struct Change: Decodable {
        var content: String
        var staleAfterSeconds: UInt32
    }

    struct Acknowledgement: Decodable {
        var refusal: String?
    }

    struct View: ResponseEncodable {
        var freshness: String
    }

    static func main() async throws {
        let start = ContinuousClock.now
        let service = RideService(
            monitor: RideMonitor(policy: try policy(), budget: try budget()),
            sender: LoggingSender(logger: Logger(label: "pushes"))
        ) {
            Instant(microseconds: Int64(start.duration(to: .now) / .microseconds(1)))
        }
        let address = BindAddress.hostname("127.0.0.1", port: 8080)
        try await Application(router: router(service), configuration: .init(address: address)).runService()
    }

    /// Thresholds and retries; use `freshet tune` to find those that suit your rides.
    static func policy() throws(PolicyError) -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: .minutes(2),
            recoveryWindow: .minutes(5),
            retry: RetryPolicy(
                maxAttempts: 3,
                base: .seconds(20),
                factorThousandths: 2000,
                cap: .minutes(2),
                jitter: .full
            ),
            endSchedule: [.zero, .seconds(30), .minutes(2)]
        )
    }

    /// 100 retries at once and 10 per second, for all rides together: an outage does not become a storm.
    static func budget() throws(PolicyError) -> RetryBudget {
        try RetryBudget(capacityThousandths: 100_000, thousandthsPerSecond: 10_000)
    }

    static func router(_ service: RideService) -> Router<BasicRequestContext> {
        let router = Router()
        router.put("rides/{ride}") { request, context -> HTTPResponse.Status in
            let body = try await request.decode(as: Registration.self, context: context)
            await service.register(
                try context.parameters.require("ride"),
                token: body.token,
                staleAfter: .seconds(Int64(body.staleAfterSeconds))
            )
            return .noContent
        }
        router.put("rides/{ride}/content") { request, context -> HTTPResponse.Status in
            let body = try await request.decode(as: Change.self, context: context)
            let isTaken = await service.change(
                try context.parameters.require("ride"),
                content: body.content,
                staleAfter: .seconds(Int64(body.staleAfterSeconds))
            )
            return isTaken ? .accepted : .notFound
        }
        router.delete("rides/{ride}") { _, context -> HTTPResponse.Status in
            await service.finish(try context.parameters.require("ride")) ? .accepted : .notFound
        }
        router.post("pushes/{number}") { request, context -> HTTPResponse.Status in
            let body = try await request.decode(as: Acknowledgement.self, context: context)
            // A reason that the core does not know does not concern the token: APNs may recover later.
            let refusal = body.refusal.map { APNsReason(rawValue: $0) ?? .internalServerError }
            let number = try context.parameters.require("number", as: Int.self)
            return await service.acknowledge(number, refusal: refusal) ? .noContent : .notFound
        }
        router.get("rides/{ride}") { _, context -> View in
            guard let freshness = await service.classification(of: try context.parameters.require("ride")) else {
                throw HTTPError(.notFound)
            }
            return View(freshness: "\(freshness)")
        }
        return router
    }
}
