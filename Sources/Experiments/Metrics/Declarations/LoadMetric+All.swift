import LiveActivityModel

extension LoadMetric {
    /// The metrics that only load tests have.
    static let all: [LoadMetric] = rates + latencies + answers + connections + monitor

    /// Scopes that only load tests report, by the name of the shared metric.
    static let furtherParts: [String: [Part]] = [
        "push_fate_count": [
            Part(scope: "fate:unreadable", words: "sent by a monitor in a form that cannot be read (loads)")
        ]
    ]

    private static let rates = [
        LoadMetric(
            "requests_asked_per_second",
            .rate,
            means: "Requests that the plan schedules; a closed loop has no plan."
        ),
        LoadMetric(
            "requests_per_second",
            .rate,
            better: .higher,
            means: "Answers per second while requests are sent, including errors."
        ),
        LoadMetric(
            "errors_ratio",
            .share,
            better: .lower,
            means:
                "Share of all requests, including requests never sent, without the expected answer."
        ),
    ]

    private static let latencies = [
        LoadMetric(
            "request_latency_us",
            .times,
            better: .lower,
            parts: [Part(scope: "request:")],
            means:
                "Time from the due time of a request, even if it was sent later, to its answer. Excludes requests without an answer."
        ),
        LoadMetric(
            "push_latency_us",
            .times,
            better: .lower,
            means: "Time from the first due time of a push to its acceptance, including retries."
        ),
        LoadMetric(
            "driver_lateness_us",
            .times,
            statistics: ["p50", "p95", "p99", "p999", "max"],
            means:
                "Time from the due time of a request in the scenario to its hand-over: the lateness of the load generator itself."
        ),
    ]

    /// Reasons for missing responses.
    private static let whyMissing = [
        Part(scope: "why:timed_out", words: "no answer within the time-out"),
        Part(scope: "why:not_sent", words: "never sent"),
        Part(scope: "why:connection_lost", words: "lost with the connection"),
    ]

    private static let answers = [
        LoadMetric(
            "apns_response_missing_count",
            .count,
            better: .lower,
            parts: whyMissing + [
                Part(scope: "why:not_processed", words: "sent, and not processed as the endpoint says"),
                Part(scope: "why:no_answer", words: "no answer, in the monitor's own count"),
            ],
            means: "Requests to APNs without an answer."
        ),
        LoadMetric(
            "pushes_given_up_count",
            .count,
            better: .lower,
            means:
                "Pushes without an answer, or rejected with 429 or 5xx, that had no further attempt; all such pushes without `--retries`."
        ),
    ]

    private static let connections = [
        LoadMetric(
            "connections_made_count",
            .count,
            means: "Connections to APNs opened, including replacements for lost ones."
        ),
        LoadMetric(
            "connections_lost_count",
            .count,
            better: .lower,
            means: "Connections to APNs that ended during the load."
        ),
        LoadMetric(
            "goaways_count",
            .count,
            means: "GOAWAY frames with which APNs announced the end of a connection."
        ),
    ]

    private static let monitor = [
        LoadMetric(
            "monitor_requests_count",
            .count,
            parts: [Part(scope: "request:")],
            means: "Requests sent to the monitor."
        ),
        LoadMetric(
            "monitor_response_count",
            .count,
            parts: [Part(scope: "status:500"), Part(scope: "status:"), Part(scope: "request:")],
            hasWhole: false,
            means:
                "Answers of the monitor by status; with --rate, by request and status: `request:REQUEST;status:200`."
        ),
        LoadMetric(
            "monitor_response_missing_count",
            .count,
            better: .lower,
            parts: whyMissing,
            means: "Requests to the monitor without an answer."
        ),
        LoadMetric("monitor_scans_count", .count, means: "Scans of all instances by the monitor."),
        LoadMetric(
            "registry_changes_count",
            .count,
            means: "Instance changes written to the monitor's registry."
        ),
        LoadMetric(
            "registry_commits_count",
            .count,
            means: "Transactions that wrote these changes."
        ),
    ]
}
