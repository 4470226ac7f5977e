import Experiments
import LiveActivityModel
import SimulationKernel
import TextFormats

/// `run.json`: what was run and what came of it, in a few numbers; nothing of the machine, the commit or the moment.
struct RunDescription {
    /// Grows when a script that reads `run.json` would have to change.
    static let schemaVersion: Int64 = 1

    /// What is written.
    let json: JSONValue

    init(_ result: RunResult) {
        let scenario = result.scenario
        let total = result.total
        let pushes = [Counter.updatesSent, .retriesSent, .endsSent, .startsSent].reduce(0) { $0 + total[$1] }
        var members: [String: JSONValue] = [
            "schema_version": .integer(RunDescription.schemaVersion),
            "run_id": .string(RunID(scenario).description),
            "name": .string(scenario.name),
            "seed": .unsigned(scenario.seed),
            "replications": .integer(Int64(result.replications)),
            "cells": .integer(Int64(scenario.cells)),
            "fingerprint": .string(result.fingerprint.value.hexadecimal),
            "counts": [
                "rides": .integer(total[.ridesRequested]),
                "activities": .integer(total[.activitiesStarted]),
                "pushes": .integer(pushes),
                "events": .unsigned(total.eventCount),
            ],
        ]
        if let precision = result.precision {
            members["precision"] = [
                "metric": .string(precision.wish.metric),
                "wanted_relative_half_width": .decimal(precision.wish.halfWidth, places: 6),
                "relative_half_width": precision.halfWidth.map { .decimal($0, places: 6) } ?? .null,
                "is_met": .bool(precision.isMet),
            ]
        }
        if let trace = scenario.rides.trace {
            members["trace"] = RunDescription.description(of: trace)
        }
        if let realTime = result.realTime {
            members["real_time"] = RunDescription.description(of: realTime)
        }
        json = .object(members)
    }

    private static func description(of realTime: RealTime) -> JSONValue {
        [
            "speed": .decimal(realTime.speed, places: 3),
            "apns": .string(realTime.apns),
            "fates": .string(realTime.isObserved ? "observed" : "drawn"),
            "requests": .integer(Int64(realTime.requests)),
            "driver_lateness_us": [
                "p50": .integer(Int64(realTime.lateness.median)), "p99": .integer(Int64(realTime.lateness.p99)),
                "max": .integer(Int64(realTime.lateness.largest)),
            ],
        ]
    }

    private static func description(of trace: Scenario.Trace) -> JSONValue {
        func rows(_ counts: [TraceCleaning.Count]) -> JSONValue {
            .object(Dictionary(counts.map { ($0.reason, .integer(Int64($0.rows))) }) { first, _ in first })
        }
        let cleaning = trace.cleaning
        return [
            "file": .string(trace.file),
            "rows_read": .integer(Int64(cleaning.read)),
            "rows_kept": .integer(Int64(cleaning.kept)),
            "rows_of_other_providers": .integer(Int64(cleaning.otherProvider)),
            "rows_repaired": rows(cleaning.repaired),
            "rows_left_out": rows(cleaning.leftOut),
        ]
    }
}
