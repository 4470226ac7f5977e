import FreshnessCore
import LiveActivityModel
import Quantities
import TextFormats

extension Story {
    /// The history for programs, with times in microseconds and causes by their scope names.
    public var json: String {
        var story: [String: JSONValue] = ["rows": .array(rows.map(json))]
        if let record {
            story["ride"] = .unsigned(record.ride)
            story["requested_at_us"] = .integer(record.requestedAt.microseconds)
            story["displayed_time_us"] = .integer(record.displayedTime)
            story["stale_time_us"] = causes(record.staleTime)
            story["wrong_stage_time_us"] = causes(record.wrongStageTime)
            story["largest_age_us"] = .integer(record.largestAge)
            story["retries"] = .integer(record.retries)
            story["ended"] = record.end.map { .string(Story.words($0)) } ?? .null
        }
        return JSONValue.object(story).text
    }

    private func causes(_ time: (ActivityRecord.Cause?) -> Int64) -> JSONValue {
        var parts: [String: JSONValue] = ["all": .integer(time(nil))]
        for cause in ActivityRecord.Cause.all where time(cause) > 0 {
            parts[cause.name] = .integer(time(cause))
        }
        return .object(parts)
    }

    private func json(_ row: Row) -> JSONValue {
        var values: [String: JSONValue] = [
            "at_us": .integer(row.at.microseconds),
            "offset_us": .integer((row.at - begin).microseconds),
            "what": .string(row.what),
            "believes": row.belief.map { .string(Wording.belief($0)) } ?? .null,
        ]
        if case .content(let content) = row.screen {
            values["age_us"] = .integer((row.at - content.generatedAt).microseconds)
            values["is_stale"] = .bool(row.isStale)
            values["stage"] = row.stage.map { .string($0) } ?? .null
        }
        return .object(values)
    }
}
