import Evaluation
import LiveActivityModel
import Quantities
import TextFormats

/// The limit that a run reaches first, for a brief.
extension Report {
    /// Sentences on the limit that the run reached first, and when, or on the highest use; then their basis.
    ///
    /// Empty for a run without pushes, and for a run in real time, whose APNs may have limits of its own.
    var firstLimit: [String] {
        guard total.pushesSent > 0, result.realTime == nil else { return [] }
        let congestions = Congestion.all(in: result)
        let apns = scenario.apns.capacity == nil ? "APNs itself has no limit in this scenario." : ""
        // A budget that changed nothing is no limit that the run reached first.
        let idle = withholdings.filter(\.isIdle).map(\.sentence)
        var events = withholdings.filter { !$0.isIdle }
            .map { (from: $0.from, name: $0.name, words: ", which \($0.words).") }
        if let first = congestions.min(by: { ($0.from, $0.replication) < ($1.from, $1.replication) }) {
            events.append((first.from, first.bottleneck.words.name, course(of: first, among: congestions)))
        }
        // Of equal times, the congestion comes first, because it delays every push.
        events = events.reversed().enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
            .map(\.element)
        guard let first = events.first else { return [highestUse] + (idle + [apns]).filter { !$0.isEmpty } }
        let name = first.name.prefix(1).lowercased() + first.name.dropFirst()
        let later = events.dropFirst()
            .map { "Later: \($0.name.prefix(1).lowercased())\($0.name.dropFirst())\($0.words)" }
        let basis =
            congestions.isEmpty
            ? highestUse
            : "A window of \(Format.span(scenario.clock.window.microseconds)) counts as full if pushes waited during at least "
                + "half of it."
        return ["First limit reached: \(name)\(first.words)"] + later + idle + Congestion.advice(on: congestions)
            + [basis, apns].filter { !$0.isEmpty }
    }

    /// Returns the times and queues of the first congestion, and of the worst one if that is another.
    private func course(of first: Congestion, among all: [Congestion]) -> String {
        guard result.replications == 1 else {
            let those = all.filter { $0.bottleneck == first.bottleneck }
            let episodes = Congestion.episodes(of: those)
            let course = episodes.first.map { ", \(Congestion.course(of: $0, in: result))." } ?? ""
            guard episodes.count > 1, let worst = Congestion.worstEpisode(of: episodes) else { return course }
            return worst == episodes[0]
                ? "\(course) It is the worst of \(episodes.count)."
                : "\(course) The worst of \(episodes.count): \(Congestion.course(of: worst, in: result))."
        }
        guard all.count > 1, let worst = Congestion.worstFirst(all).first else {
            return ", \(first.course(by: clock))."
        }
        let course = ", \(first.course(by: clock))."
        return worst == first
            ? "\(course) It is the worst of \(all.count)."
            : "\(course) The worst of \(all.count): \(worst.bottleneck.words.name) \(worst.course(by: clock))."
    }
}
