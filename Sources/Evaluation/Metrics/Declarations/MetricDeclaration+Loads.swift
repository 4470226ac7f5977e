import LiveActivityModel

/// Metrics that only loads measure.
///
/// If a load and the simulator measure the same thing, they share the name and the declaration.
extension MetricDeclaration {
    static let loads: [MetricDeclaration] = [
        // Rates.
        MetricDeclaration("requests_asked_per_second").ofLoads()
            .means("Requests that the plan schedules; a closed loop has no plan."),
        MetricDeclaration("requests_per_second", better: .higher).ofLoads()
            .means("Answers per second while requests are sent, including errors."),
        MetricDeclaration("errors_ratio", better: .lower).ofLoads(phases)
            .means("Share of all requests, including requests never sent, without the expected answer."),

        // Latencies.
        MetricDeclaration("request_latency_us", better: .lower)
            .ofLoads([
                "request:": nil, "phase:before": before, "phase:during": during, "phase:after": after,
            ])
            .means(
                "Time from the due time of a request, even if it was sent later, to its answer. Excludes requests without an answer."
            ),
        MetricDeclaration("unanswered_wait_us")
            .ofLoads(
                ["request:": nil, "phase:before": before, "phase:during": during, "phase:after": after],
                statistics: ["min", "max"]
            )
            .means(
                "Time from the due time of a request without an answer until it was given up, at its time-out or when its "
                    + "connection was lost."
            ),
        MetricDeclaration("push_latency_us", better: .lower).ofLoads()
            .means(
                "Time from the first due time of a push to its acceptance, including retries. Excludes pushes that were never "
                    + "accepted."
            ),
        MetricDeclaration("not_accepted_wait_us").ofLoads(statistics: ["min", "max"])
            .means(
                "Time from the first due time of a push that was never accepted until its last request was rejected or given "
                    + "up, or until the load was stopped before its retry."
            ),
        MetricDeclaration("driver_lateness_us").ofLoads(statistics: ["p50", "p95", "p99", "p999", "max"])
            .means(
                "Time from the due time of a request in the scenario to its hand-over: the lateness of the load generator itself."
            ),

        // Answers.
        MetricDeclaration("apns_response_missing_count", better: .lower)
            .ofLoads(
                [
                    "why:timed_out": timedOut, "why:not_sent": notSent, "why:connection_lost": lost,
                    "why:not_processed": "sent, and not processed as the endpoint says",
                    "why:no_answer": "no answer, in the monitor's own count",
                    "phase:before": before, "phase:during": during, "phase:after": after,
                ]
            )
            .means("Requests to APNs without an answer."),
        MetricDeclaration("pushes_not_accepted_count", better: .lower).ofLoads()
            .means("Pushes that were never accepted: rejected, without an answer or never sent, after all retries."),
        MetricDeclaration("pushes_given_up_count", better: .lower).ofLoads()
            .means(
                "Pushes without an answer, or rejected with 429 or 5xx, that had no further attempt; all such pushes without `--retries`."
            ),

        // Connections.
        MetricDeclaration("connections_made_count").ofLoads()
            .means("Connections to APNs opened, including replacements for lost ones."),
        MetricDeclaration("connections_lost_count", better: .lower).ofLoads()
            .means("Connections to APNs that ended during the load."),
        MetricDeclaration("goaways_count").ofLoads()
            .means("GOAWAY frames with which APNs announced the end of a connection."),

        // The monitor.
        MetricDeclaration("monitor_requests_count").ofLoads(["request:": nil]).means("Requests sent to the monitor."),
        MetricDeclaration("monitor_response_count")
            .ofLoads(["status:500": nil, "status:": nil, "request:": nil], hasWhole: false)
            .means(
                "Answers of the monitor by status; with --rate, by request and status: `request:REQUEST;status:200`."
            ),
        MetricDeclaration("monitor_response_missing_count", better: .lower)
            .ofLoads(["why:timed_out": timedOut, "why:not_sent": notSent, "why:connection_lost": lost, "request:": nil])
            .means("Requests to the monitor without an answer, in all, by reason and by request."),
        MetricDeclaration("monitor_scans_count").ofLoads().means("Scans of all instances by the monitor."),
        MetricDeclaration("registry_changes_count").ofLoads()
            .means("Instance changes written to the monitor's registry."),
        MetricDeclaration("registry_commits_count").ofLoads().means("Transactions that wrote these changes."),
    ]

    /// The parts of a load around the faults of its endpoint, which only the stand-in's ready file states.
    static let phases: KeyValuePairs<String, String?> = [
        "phase:before": before, "phase:during": during, "phase:after": after,
    ]

    private static let before = "due before the first fault of the stand-in"
    private static let during = "due during a fault of the stand-in"
    private static let after = "due later, and not during a fault"
    private static let timedOut = "no answer within the time-out"
    private static let notSent = "never sent"
    private static let lost = "lost with the connection"
}
