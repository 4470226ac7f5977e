import APNsProtocol
import NIOCore

/// What has been counted, as OpenMetrics text.
struct MetricsText {
    static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    private var text = ""

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
                metrics.gauge("freshet_apns_channels", "Broadcast channels.", [("", sources.channels.count)])
                if let gateway = sources.gateway {
                    metrics.counter(
                        "freshet_netmera_calls",
                        "Calls of the Netmera gateway by what was called and the answer's status.",
                        gateway.tally()
                            .map { ("{call=\"\($0.call.operation)\",status=\"\($0.call.status)\"}", $0.count) }
                    )
                }
                return metrics.text + "# EOF\n"
            }
    }

    private mutating func add(_ tally: Tally) {
        counter("freshet_apns_requests", "Requests whose head has come.", [("", tally.requests)])
        var responses = [("{status=\"200\",reason=\"\"}", tally.accepted)]
        for reason in APNsResponseReason.allCases where tally.refused[reason.place] > 0 {
            let labels = "{status=\"\(reason.status)\",reason=\"\(reason.rawValue)\"}"
            responses.append((labels, tally.refused[reason.place]))
        }
        counter("freshet_apns_responses", "Responses by status and reason.", responses)
        counter("freshet_apns_silenced", "Requests that get no answer.", [("", tally.silenced)])
        gauge(
            "freshet_apns_queue",
            "Requests that wait for APNs' servers or are being served.",
            [("", tally.queued - tally.served)]
        )
        counter("freshet_apns_unheard", "Responses whose request was given up.", [("", tally.unheard)])
        counter(
            "freshet_apns_pushes",
            "Accepted pushes by what became of them.",
            [
                ("{fate=\"delivered\"}", tally.delivered), ("{fate=\"lost\"}", tally.lost),
                ("{fate=\"dead_token\"}", tally.deadToken),
            ]
        )
        gauge("freshet_apns_connections", "Connections.", [("", tally.connectionsOpened - tally.connectionsClosed)])
        counter(
            "freshet_apns_connections_opened",
            "Connections since the start.",
            [("{result=\"served\"}", tally.connectionsOpened), ("{result=\"refused\"}", tally.connectionsRefused)]
        )
        counter("freshet_apns_streams_reset", "Streams that the provider has reset.", [("", tally.streamsReset)])
        counter(
            "freshet_apns_timed_out",
            "Requests and connections that took too long.",
            [("", tally.streamsTimedOut)]
        )
        counter("freshet_apns_protocol_errors", "Errors in TLS or HTTP/2.", [("", tally.protocolErrors)])
        counter("freshet_apns_goaways", "Connections that were told to go.", [("", tally.goAways)])
        counter("freshet_apns_settings_changes", "Changes of the number of streams.", [("", tally.settingsChanges)])
        counter("freshet_apns_body_bytes", "Bytes of bodies.", [("", tally.bodyBytes)])
        counter(
            "freshet_phones_overflowed",
            "Pushes that came faster than phones are played; then screens are not to be trusted.",
            [("", tally.overflowed)]
        )
    }

    private mutating func add(_ screens: ScreenTally) {
        gauge(
            "freshet_screens",
            "Live Activities by what their screens show.",
            [
                ("{shows=\"fresh\"}", screens.fresh), ("{shows=\"stale\"}", screens.stale),
                ("{shows=\"ended\"}", screens.ended),
            ]
        )
        counter(
            "freshet_screen_pushes",
            "Pushes that reached a phone, by their effect.",
            [
                ("{effect=\"shown\"}", screens.shown), ("{effect=\"started\"}", screens.started),
                ("{effect=\"ended\"}", screens.endings), ("{effect=\"older\"}", screens.older),
                ("{effect=\"after_end\"}", screens.afterEnd), ("{effect=\"throttled\"}", screens.throttled),
                ("{effect=\"unknown_event\"}", screens.unknownEvent),
                ("{effect=\"undecodable\"}", screens.undecodable), ("{effect=\"no_room\"}", screens.withoutRoom),
            ]
        )
        let name = "freshet_screen_content_age_seconds"
        head(name, "histogram", "Age of content when it was shown, from the payload's timestamp.")
        for (bound, count) in zip(ScreenTally.ageBounds, screens.ages) {
            line("\(name)_bucket{le=\"\(bound)\"}", "\(count)")
        }
        let all = screens.ages[ScreenTally.ageBounds.count]
        line("\(name)_bucket{le=\"+Inf\"}", "\(all)")
        line("\(name)_sum", "\(screens.ageSum)")
        line("\(name)_count", "\(all)")
    }

    private mutating func counter(_ name: String, _ help: String, _ samples: [(labels: String, value: Int)]) {
        head(name, "counter", help)
        for sample in samples { line("\(name)_total\(sample.labels)", "\(sample.value)") }
    }

    private mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: String, value: Int)]) {
        head(name, "gauge", help)
        for sample in samples { line("\(name)\(sample.labels)", "\(sample.value)") }
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE \(name) \(type)\n# HELP \(name) \(help)\n"
    }

    private mutating func line(_ name: String, _ value: String) {
        text += "\(name) \(value)\n"
    }
}
