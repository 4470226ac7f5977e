import LiveActivityModel

extension LoadMetric {
    /// Every metric of loads that is not the simulator's.
    static let all: [LoadMetric] = rates + latencies + answers + connections + monitor + core

    /// Parts that loads alone state of metrics that are the simulator's, by the metrics' names.
    static let furtherParts: [String: [Part]] = [
        "push_fate_count": [
            Part(scope: "fate:unreadable", words: "sent by a monitor in a form that cannot be read (loads)")
        ]
    ]

    private static let rates = [
        LoadMetric(
            "requests_asked_per_second",
            .rate,
            means: "Requests that the plan asks for; a closed loop has no plan."
        ),
        LoadMetric(
            "requests_per_second",
            .rate,
            better: .higher,
            means: "Answers that came while requests did, refusals among them."
        ),
        LoadMetric(
            "errors_ratio",
            .share,
            better: .lower,
            means:
                "Of all requests, those that were never sent included: the share that was not answered as it should be."
        ),
    ]

    private static let latencies = [
        LoadMetric(
            "request_latency_us",
            .times,
            better: .lower,
            parts: [Part(scope: "request:")],
            means:
                "From when a request was due, whether it could be sent then or not, to its answer; without one it has none."
        ),
        LoadMetric(
            "push_latency_us",
            .times,
            better: .lower,
            means: "From when a push was first due to its acceptance, retries included."
        ),
        LoadMetric(
            "driver_lateness_us",
            .times,
            statistics: ["p50", "p95", "p99", "p999", "max"],
            means:
                "From when a request of a scenario's rides was due to when it was handed over: how late the load was itself."
        ),
    ]

    /// Why requests have no answer.
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
                "Pushes without an answer, or refused with 429 or 5xx, that had no further attempt: without `--retries` all of them."
        ),
    ]

    private static let connections = [
        LoadMetric(
            "connections_made_count",
            .count,
            means: "Connections to APNs that were opened, those in place of lost ones among them."
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
            means: "GOAWAY frames by which APNs announced that it closes a connection."
        ),
    ]

    private static let monitor = [
        LoadMetric(
            "monitor_requests_count",
            .count,
            parts: [Part(scope: "request:")],
            means: "Requests that were sent to the monitor."
        ),
        LoadMetric(
            "monitor_response_count",
            .count,
            parts: [Part(scope: "status:500"), Part(scope: "status:"), Part(scope: "request:")],
            hasWhole: false,
            means:
                "Answers of the monitor by their status; at a rate by what was asked and the status: `request:REQUEST;status:200`."
        ),
        LoadMetric(
            "monitor_response_missing_count",
            .count,
            better: .lower,
            parts: whyMissing,
            means: "Requests to the monitor without an answer."
        ),
        LoadMetric("monitor_scans_count", .count, means: "Times that the monitor looked through all instances."),
        LoadMetric(
            "registry_changes_count",
            .count,
            means: "Changes of instances that the monitor has written to its registry."
        ),
        LoadMetric(
            "registry_commits_count",
            .count,
            means: "Transactions in which the monitor has written these changes."
        ),
    ]

    private static let core = [
        LoadMetric(
            "updates_asked_per_second",
            .rate,
            statistics: ["value"],
            means: "Updates that the core was to apply; of a search for the limit, the rate that it found."
        ),
        LoadMetric("updates_per_second", .rate, better: .higher, means: "Updates that the core has applied."),
        LoadMetric("updates_count", .count, means: "Updates that the core has applied, over the measured time."),
        LoadMetric(
            "updates_behind_count",
            .count,
            better: .lower,
            statistics: ["max"],
            means: "Updates that were due and not yet applied, at the end of the worst second."
        ),
        LoadMetric(
            "update_latency_us",
            .times,
            better: .lower,
            means: "From when an update was due until the core had applied it."
        ),
        LoadMetric(
            "decision_latency_us",
            .times,
            better: .lower,
            means: "From an instance's lapse until the core noticed it; waiting for the next scan is most of it."
        ),
        LoadMetric("scan_time_us", .times, better: .lower, means: "How long a scan of the core's table took."),
        LoadMetric(
            "deciding_time_us",
            .times,
            better: .lower,
            means: "How long the core took to decide about what a scan had found, and what was due to wake."
        ),
        LoadMetric(
            "scan_lateness_us",
            .times,
            better: .lower,
            means: "From the instant at which a scan was due until it and its decisions were done."
        ),
        LoadMetric("scans_count", .count, means: "Scans of the core's table."),
        LoadMetric(
            "scans_missed_count",
            .count,
            better: .lower,
            means: "Scans that were left out, as the next was due before they could begin."
        ),
        LoadMetric(
            "scan_to_copy_ratio",
            .ratio,
            better: .higher,
            means: "How fast scans read memory, relative to memcpy on the same machine."
        ),
        LoadMetric(
            "processor_share_ratio",
            .share,
            better: .lower,
            means: "Of the time of one processor: the share in which the core worked."
        ),
        LoadMetric(
            "bytes_per_instance",
            .memory,
            better: .lower,
            statistics: ["kept", "resident"],
            means: "Memory for an instance: what its tables keep, and what the process took for it."
        ),
        LoadMetric("resident_bytes", .memory, means: "Memory of the process after the last second."),
        LoadMetric(
            "resident_growth_bytes_per_minute",
            .memory,
            statistics: ["slope"],
            means:
                "How memory grew in a minute, by a line of least squares; nothing of less than three measured seconds."
        ),
    ]
}
