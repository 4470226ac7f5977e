import LoadGenerator
import Quantities
import Reporting
import Shell

extension PushLoad {
    /// A warning that timestamps will run a second or more ahead of the clock, and how to avoid it; nil if they will not.
    var leadWarning: String? {
        if let replay = schedule.replay {
            guard replay.longestLead >= .seconds(1) else { return nil }
            return
                "some rides get pushes less than a second apart, and a phone shows only updates whose timestamp, in whole "
                + "seconds, is higher than the last one's. Timestamps will therefore run up to "
                + "\(ProgressLine.span(replay.longestLead.microseconds)) ahead of the clock. Until the clock has caught up, phones "
                + "drop other updates for these tokens as older. A lower --speed makes the lead shorter"
        }
        guard payload.isStamped, let plan = schedule.plan, longestLead >= .seconds(1) else { return nil }
        let perToken = ProgressLine.rate(plan.peakRate / Double(tokenCount))
        let fewest = Int(plan.peakRate.rounded(.up))
        return
            "the load sends each token up to \(perToken) pushes per second, and a phone shows only updates whose timestamp, in "
            + "whole seconds, is higher than the last one's. Timestamps will therefore run up to "
            + "\(ProgressLine.span(longestLead.microseconds)) ahead of the clock. Until the clock has caught up, phones drop "
            + "other updates for these tokens, such as a second load's, as older. To avoid it, send at most "
            + "\(ProgressLine.count(tokenCount)) pushes per second, or to at least \(ProgressLine.count(fewest)) tokens"
    }
}
