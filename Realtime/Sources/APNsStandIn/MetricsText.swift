import HTTPTypes
import Hummingbird
import LiveActivityModel
import NIOCore
import TextFormats
import Wire

/// The counters as OpenMetrics text.
struct MetricsText {
    private var text = OpenMetricsText()

    /// The sources of the counters.
    struct Sources: Sendable {
        let phones: PhoneExchange
        let channels: BroadcastChannels
        let gateway: NetmeraGateway?
        let log: RequestLog?
    }

    /// Collects the counters of all threads, the phones and the gateway.
    static func gather(_ sources: Sources, on loop: any EventLoop) -> EventLoopFuture<String> {
        sources.phones.tally(on: loop)
            .map { tally in
                var metrics = MetricsText()
                metrics.add(tally)
                metrics.add(sources.phones.screens.census())
                metrics.text.gauge("freshet_apns_channels", "Broadcast channels.", [([], sources.channels.count)])
                if let log = sources.log {
                    let help = "Lines of the request log that were not written, because the disk is full or slow."
                    metrics.text.counter("freshet_request_log_lost_lines", help, [([], log.lostLines)])
                }
                if let gateway = sources.gateway {
                    metrics.text.counter(
                        "freshet_netmera_calls",
                        "Calls of the Netmera gateway by operation and status.",
                        gateway.tally()
                            .map { ([("call", $0.call.operation), ("status", "\($0.call.status)")], $0.count) }
                    )
                }
                return metrics.text.text
            }
    }

    /// Returns a family of samples that differ in one label.
    private static func by(
        _ label: String,
        _ counts: [(String, Int)]
    ) -> [(labels: [OpenMetricsText.Label], value: Int)] {
        counts.map { ([(label, $0.0)], $0.1) }
    }

    private mutating func add(_ tally: RequestCounts) {
        func counter(_ name: String, _ help: String, _ count: Int) { text.counter(name, help, [([], count)]) }
        func gauge(_ name: String, _ help: String, _ count: Int) { text.gauge(name, help, [([], count)]) }
        counter("freshet_apns_requests", "Requests whose head has arrived.", tally.requests)
        var responses = [([("status", "200"), ("reason", "")], tally.accepted)]
        for reason in APNsResponseReason.allCases where tally.refused[reason.place] > 0 {
            let labels = [("status", "\(reason.status)"), ("reason", reason.text)]
            responses.append((labels, tally.refused[reason.place]))
        }
        text.counter("freshet_apns_responses", "Answers by status and reason.", responses)
        counter("freshet_apns_silenced", "Requests that get no answer.", tally.silenced)
        let queued = tally.queued - tally.served
        gauge("freshet_apns_queue", "Requests that wait for APNs' servers or are in service.", queued)
        counter("freshet_apns_unheard", "Answers whose stream was already closed.", tally.unheard)
        let fates = [("delivered", tally.delivered), ("lost", tally.lost), ("dead_token", tally.deadToken)]
        text.counter("freshet_apns_pushes", "Accepted pushes by outcome.", Self.by("fate", fates))
        counter("freshet_apns_publications", "Publications that were sent on from a channel.", tally.sentOn)
        let copies = [("delivered", tally.copiesDelivered), ("lost", tally.copiesLost)]
        text.counter("freshet_apns_copies", "Copies of publications by outcome.", Self.by("fate", copies))
        gauge("freshet_apns_connections", "Connections.", tally.connectionsOpened - tally.connectionsClosed)
        counter("freshet_apns_connections_opened", "Connections since the start.", tally.connectionsOpened)
        counter("freshet_apns_streams_reset", "Streams that the provider has reset.", tally.streamsReset)
        counter("freshet_apns_timed_out", "Requests and connections that took too long.", tally.streamsTimedOut)
        counter("freshet_apns_protocol_errors", "Errors in TLS or HTTP/2.", tally.protocolErrors)
        counter("freshet_apns_goaways", "Connections that received GOAWAY.", tally.goAways)
        counter("freshet_apns_settings_changes", "Changes of the number of streams.", tally.settingsChanges)
        counter("freshet_apns_body_bytes", "Bytes of bodies.", tally.bodyBytes)
        let overflowed = "Pushes that arrived faster than phones are played; above 0 the screens are unreliable."
        counter("freshet_phones_overflowed", overflowed, tally.overflowed)
    }

    private mutating func add(_ screens: ScreenTally) {
        let shown = [("fresh", screens.fresh), ("stale", screens.stale), ("ended", screens.ended)]
        text.gauge("freshet_screens", "Live Activities by the state of their screens.", Self.by("shows", shown))
        let effects =
            PhoneScreen.Effect.names.map { ($0.name, screens.effects[$0.effect] ?? 0) }
            + [("no_room", screens.withoutRoom)]
        text.counter(
            "freshet_screen_pushes",
            "Pushes that reached a phone, by their effect.",
            Self.by("effect", effects)
        )
        text.counter("freshet_screen_alerts", "Alerts that lit up a screen.", [([], screens.alerts)])
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
