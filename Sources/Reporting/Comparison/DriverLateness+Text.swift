public import Evaluation
import TextFormats

extension DriverLateness {
    /// The warning about a late driver; nil if it was in time.
    public var warning: String? {
        guard isTooLate else { return nil }
        let (late, most) = (Format.span(Int64(p99)), Format.span(Int64(allowed)))
        return "The load generator itself was late: 1 in 100 of its requests left \(late) or more after the due time; "
            + "allowed: \(most). The results partly measure its own delay; \(remedy)."
    }

    /// The warning as a paragraph of a report, after the mark of an uncertain verdict.
    var markdown: String? { warning.map { "? \($0)" } }

    /// The addition to the verdict of a comparison about a late driver; empty if it was in time.
    var remark: String {
        isTooLate
            ? "; but the load generator was late by \(Format.span(Int64(p99))) (p99), which may distort the comparison"
            : ""
    }

    /// The value in `run.json`.
    var json: JSONValue {
        [
            "p50": .integer(Int64(median)), "p99": .integer(Int64(p99)), "max": .integer(Int64(largest)),
            "p99_allowed": .integer(Int64(allowed)),
        ]
    }
}
