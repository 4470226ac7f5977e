import LiveActivityModel

extension LoadMetric {
    /// The metrics that only load tests have.
    static let all: [LoadMetric] = rates + latencies + answers + connections + monitor + core

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

    private static let core = [
        LoadMetric(
            "updates_asked_per_second",
            .rate,
            statistics: ["value"],
            means: "Offered updates per second; in a search for the limit, the rate found."
        ),
        LoadMetric("updates_per_second", .rate, better: .higher, means: "Updates that the core applied per second."),
        LoadMetric("updates_count", .count, means: "Updates that the core applied in the measured time."),
        LoadMetric(
            "updates_behind_count",
            .count,
            better: .lower,
            statistics: ["max"],
            means: "Backlog of due updates at the end of the worst second."
        ),
        LoadMetric(
            "update_latency_us",
            .times,
            better: .lower,
            means: "Time from the due time of an update until the core applied it."
        ),
        LoadMetric(
            "decision_latency_us",
            .times,
            better: .lower,
            means: "Time from the lapse of an instance until the core detects it; mostly the wait for the next scan."
        ),
        LoadMetric("scan_time_us", .times, better: .lower, means: "Duration of a scan of the core's table."),
        LoadMetric(
            "deciding_time_us",
            .times,
            better: .lower,
            means: "Duration of the core's decisions after a scan, including due timers."
        ),
        LoadMetric(
            "scan_lateness_us",
            .times,
            better: .lower,
            means: "Time from the due time of a scan until the scan and its decisions are done."
        ),
        LoadMetric("scans_count", .count, means: "Scans of the core's table."),
        LoadMetric(
            "scans_missed_count",
            .count,
            better: .lower,
            means: "Scans skipped because the next one was due before they could begin."
        ),
        LoadMetric(
            "scan_to_copy_ratio",
            .ratio,
            better: .higher,
            means: "Memory read rate of scans, relative to memcpy on the same machine."
        ),
        LoadMetric(
            "processor_share_ratio",
            .share,
            better: .lower,
            means: "Share of one processor's time used by the core."
        ),
        LoadMetric(
            "bytes_per_instance",
            .memory,
            better: .lower,
            statistics: ["kept", "resident"],
            means: "Memory per instance: in the tables, and of the process."
        ),
        LoadMetric("resident_bytes", .memory, means: "Memory of the process at the end."),
        LoadMetric(
            "resident_growth_bytes_per_minute",
            .memory,
            statistics: ["slope"],
            means:
                "Growth of memory per minute, by linear regression; no value for less than three measured seconds."
        ),
    ]
}
