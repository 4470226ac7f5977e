import APNsStandIn
import Foundation
import TestSupport
import Testing

/// Over real connections on loopback.
@Suite(.serialized) struct SideServerTests {
    @Test func servesMetricsAndHealth() async throws {
        try await TestServer.running(with: Change(\.metricsPort, 0)) { server in
            let port = try #require(server.standIn.metricsPort)
            let health = try await PlainHTTP.send("GET", "/health", port: port)
            #expect(health.status == 200)
            #expect(health.body == "ok\n")
            let metrics = try await PlainHTTP.send("GET", "/metrics", port: port)
            #expect(metrics.status == 200)
            #expect(metrics.head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"))
            #expect(metrics.body == (try await server.standIn.metrics()))
            #expect(metrics.body.contains("\nfreshet_apns_responses_total{status=\"200\",reason=\"\"} 0\n"))
            #expect(metrics.body.hasSuffix("\n# EOF\n"))
            #expect(try await PlainHTTP.send("GET", "/else", port: port).status == 404)
            #expect(try await PlainHTTP.send("POST", "/metrics", port: port).status == 405)
        }
    }

    /// A body in an unknown coding has no end, so bytes after it are not a request.
    @Test(arguments: [("gzip, chunked", 501), ("gzip", 501), ("chunked, chunked", 400)])
    func otherCodingsAreRefused(codings: String, status: Int) async throws {
        let tally = HostileTally("request smuggling", checks: 2)
        try await TestServer.running(with: Change(\.netmera, NetmeraConfiguration(port: 0))) { server in
            let port = try #require(server.standIn.netmeraPort)
            let headers = "host: x\r\ntransfer-encoding: \(codings)\r\n\r\n"
            let request = "POST /rest/3.0/x HTTP/1.1\r\n\(headers)3\r\nabc\r\n0\r\n\r\n"
            let text = try await PlainHTTP.exchange(request + request, port: port)
            #expect(tally.counts(text.hasPrefix("HTTP/1.1 \(status) ")), "\(text)")
            #expect(tally.counts(text.components(separatedBy: "HTTP/1.1 ").count == 2), "\(text)")
        }
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        try await TestServer.running(with: Change(\.metricsPort, 0)) { server in
            let port = try #require(server.standIn.metricsPort)
            do {
                var configuration = StandInConfiguration(identity: try ServerIdentity.throwAway())
                configuration.metricsPort = port
                let other = try await StandIn.start(configuration)
                await other.stop()
                Issue.record("two servers on one port")
            } catch {
                let reason =
                    "port \(port) of 127.0.0.1 for metrics is in use; choose another one: --metrics-port NUMBER"
                #expect("\(error)".hasPrefix(reason), "\(error)")
            }
            let pushes = server.standIn.port
            do {
                var configuration = StandInConfiguration(identity: try ServerIdentity.throwAway())
                configuration.port = pushes
                let other = try await StandIn.start(configuration)
                await other.stop()
                Issue.record("two servers on one port")
            } catch {
                let reason = "port \(pushes) of 127.0.0.1 for pushes is in use; choose another one: --port NUMBER"
                #expect("\(error)".hasPrefix(reason), "\(error)")
            }
        }
    }
}
