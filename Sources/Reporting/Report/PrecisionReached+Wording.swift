import Evaluation
import LiveActivityModel
import TextFormats

extension PrecisionReached {
    /// Returns sentences on why the precision was not reached, and on the remedy.
    func shortfall(of result: RunResult) -> String {
        let requested = Self.percent(wish.halfWidth)
        let start = "`replications.until` was not met after \(Format.replications(result.replications)): \(wish.metric)"
        let advice = "Use a larger run or another metric."
        let tooFew =
            result.replications < wish.atMost
            ? ", and \(wish.atMost) replications would hold too few events for a half-width below \(requested)" : ""
        switch obstacle {
        case nil:
            return
                "\(start) has a half-width of \(Self.percent(halfWidth)) of its value, not below \(requested). Raise "
                + "`replications.until.at_most`."
        case .neverVaried(let isZero):
            return
                "\(start) is \(isZero ? "0" : "the same") in each of them, so its variation is unknown\(tooFew). "
                + advice
        case .gap(let reason):
            return
                "\(start) has no interval, because \(reason.words). Raise `replications.until.at_most`, or use a larger "
                + "run."
        case .noValue:
            return "\(start) has no value in this run because nothing that it measures happened\(tooFew). \(advice)"
        case .notMeasured(let unmet):
            return "\(start) has no value in this run because \(unmet.reason). "
                + (unmet.isOfLength ? "Use a longer run or another metric." : "Use another metric.")
        }
    }

    /// Formats a share with three decimals, for half-widths.
    static func percent(_ share: Double?) -> String {
        share.flatMap { FixedPoint.text($0 * 100, places: 3) }.map { "\($0) %" } ?? Format.undefined
    }
}
