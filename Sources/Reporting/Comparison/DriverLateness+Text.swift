public import Experiments
import TextFormats

extension DriverLateness {
    /// What a reader has to know of a run whose driver was late; nil where it was not.
    public var warning: String? {
        guard isTooLate else { return nil }
        let (late, most) = (Format.span(Int64(p99)), Format.span(Int64(allowed)))
        return "The driver was late itself: 1 in 100 of its requests left \(late) or more after they were due, "
            + "\(most) are allowed. What was measured is partly its own delay; \(remedy)."
    }

    /// The warning as a paragraph of a report; it begins with the mark of a verdict that is not sure.
    var markdown: String? { warning.map { "? \($0)" } }

    /// What the verdict of a comparison has to say of a late driver; empty where it was in time.
    var remark: String {
        isTooLate
            ? "; but the driver was late by \(Format.span(Int64(p99))) (p99): what differs may be the driver's" : ""
    }

    /// As `run.json` has it.
    var json: JSONValue {
        [
            "p50": .integer(Int64(median)), "p99": .integer(Int64(p99)), "max": .integer(Int64(largest)),
            "p99_allowed": .integer(Int64(allowed)),
        ]
    }
}
