import HTTPTypes
import Hummingbird
import NIOCore
import TextFormats
import Wire

/// What has been counted, as OpenMetrics text.
struct MetricsText {
    private var text = OpenMetricsText()

    /// Those who are asked.
    struct Sources: Sendable {
        let phones: PhoneExchange
        let channels: BroadcastChannels
        let gateway: NetmeraGateway?
    }

    /// Asks all threads, the phones and the gateway.
    static func gather(_ sources: Sources, on loop: any EventLoop) -> EventLoopFuture<String> {
        sources.phones.tally(on: loop)
            .map { tally in
                var metrics = MetricsText()
                metrics.add(tally)
                metrics.add(sources.phones.screens.census())
                metrics.text.gauge("freshet_apns_channels", "Broadcast channels.", [([], sources.channels.count)])
                if let gateway = sources.gateway {
                    metrics.text.counter(
                        "freshet_netmera_calls",
                        "Calls of the Netmera gateway by what was called and the answer's status.",
                        gateway.tally()
                            .map { ([("call", $0.call.operation), ("status", "\($0.call.status)")], $0.count) }
                    )
                }
                return metrics.text.text
            }
    }

    /// Answers a request for `/metrics` or `/health`.
    static func answer(_ request: Request, _ sources: Sources, on loop: any EventLoop) async throws -> Response {
        func response(_ status: HTTPResponse.Status, _ text: String, type: String = "text/plain") -> Response {
            let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
            return Response(status: status, headers: [.contentType: type], body: body)
        }
        guard request.method == .get else { return response(.methodNotAllowed, "") }
        switch request.uri.path {
        case "/health":
            return response(.ok, "ok\n")
        case "/metrics":
            return response(.ok, try await gather(sources, on: loop).get(), type: OpenMetricsText.contentType)
        default:
            return response(.notFound, "")
        }
    }

    private mutating func add(_ tally: Tally) {
        text.counter("freshet_apns_requests", "Requests whose head has come.", [([], tally.requests)])
        var responses = [([("status", "200"), ("reason", "")], tally.accepted)]
        for reason in APNsResponseReason.allCases where tally.refused[reason.place] > 0 {
            let labels = [("status", "\(reason.status)"), ("reason", reason.rawValue)]
            responses.append((labels, tally.refused[reason.place]))
        }
        text.counter("freshet_apns_responses", "Responses by status and reason.", responses)
        text.counter("freshet_apns_silenced", "Requests that get no answer.", [([], tally.silenced)])
        text.gauge(
            "freshet_apns_queue",
            "Requests that wait for APNs' servers or are being served.",
            [([], tally.queued - tally.served)]
        )
        text.counter("freshet_apns_unheard", "Responses whose request was given up.", [([], tally.unheard)])
        text.counter(
            "freshet_apns_pushes",
            "Accepted pushes by what became of them.",
            [
                ([("fate", "delivered")], tally.delivered), ([("fate", "lost")], tally.lost),
                ([("fate", "dead_token")], tally.deadToken),
            ]
        )
        text.gauge(
            "freshet_apns_connections",
            "Connections.",
            [([], tally.connectionsOpened - tally.connectionsClosed)]
        )
        text.counter(
            "freshet_apns_connections_opened",
            "Connections since the start.",
            [([("result", "served")], tally.connectionsOpened), ([("result", "refused")], tally.connectionsRefused)]
        )
        text.counter("freshet_apns_streams_reset", "Streams that the provider has reset.", [([], tally.streamsReset)])
        text.counter(
            "freshet_apns_timed_out",
            "Requests and connections that took too long.",
            [([], tally.streamsTimedOut)]
        )
        text.counter("freshet_apns_protocol_errors", "Errors in TLS or HTTP/2.", [([], tally.protocolErrors)])
        text.counter("freshet_apns_goaways", "Connections that were told to go.", [([], tally.goAways)])
        text.counter(
            "freshet_apns_settings_changes",
            "Changes of the number of streams.",
            [([], tally.settingsChanges)]
        )
        text.counter("freshet_apns_body_bytes", "Bytes of bodies.", [([], tally.bodyBytes)])
        text.counter(
            "freshet_phones_overflowed",
            "Pushes that came faster than phones are played; then screens are not to be trusted.",
            [([], tally.overflowed)]
        )
    }

    private mutating func add(_ screens: ScreenTally) {
        text.gauge(
            "freshet_screens",
            "Live Activities by what their screens show.",
            [
                ([("shows", "fresh")], screens.fresh), ([("shows", "stale")], screens.stale),
                ([("shows", "ended")], screens.ended),
            ]
        )
        text.counter(
            "freshet_screen_pushes",
            "Pushes that reached a phone, by their effect.",
            [
                ([("effect", "shown")], screens.shown), ([("effect", "started")], screens.started),
                ([("effect", "ended")], screens.endings), ([("effect", "older")], screens.older),
                ([("effect", "after_end")], screens.afterEnd), ([("effect", "throttled")], screens.throttled),
                ([("effect", "unknown_event")], screens.unknownEvent),
                ([("effect", "undecodable")], screens.undecodable), ([("effect", "no_room")], screens.withoutRoom),
            ]
        )
        let all = screens.ages[ScreenTally.ageBounds.count]
        func age(_ suffix: String, _ labels: [OpenMetricsText.Label], _ value: String) {
            text.add(
                "freshet_screen_content_age_seconds",
                kind: .histogram,
                help: "Age of content when it was shown, from the payload's timestamp.",
                suffix: suffix,
                labels: labels,
                value: value
            )
        }
        for (bound, count) in zip(ScreenTally.ageBounds, screens.ages) {
            age("_bucket", [("le", "\(bound)")], "\(count)")
        }
        age("_bucket", [("le", "+Inf")], "\(all)")
        age("_sum", [], "\(screens.ageSum)")
        age("_count", [], "\(all)")
    }
}
