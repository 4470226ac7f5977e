import FreshnessCore
import LiveActivityModel
import Quantities

/// What can be read of instances.
extension MonitorStateMachine {
    /// One instance, as responses show it; never its token.
    struct View: Sendable {
        let id: InstanceID
        /// Its class; nil before its first token, when it ends because its ride is over, and when it is closed.
        let freshness: FreshnessClass?
        /// `waiting` for a token, `live`, `ending` or `closed`.
        let phase: String
        let token: TokenState
        /// What it is believed to show.
        let shown: ContentStamp?
        /// What it is to show.
        let announced: ContentStamp?
    }

    /// A part of the instances.
    struct Page: Sendable {
        /// Instances, in the order in which they came.
        let instances: [View]
        /// Where the next page begins; nil after the last one.
        let next: Int?
    }

    /// One instance; nil if it is not known.
    func view(of id: InstanceID, at now: Instant) -> View? { row(of: id).map { view($0, at: now) } }

    /// The instances of a class, or all.
    ///
    /// - Complexity: A page looks at 100,000 instances at most, so it may be empty and yet not the last.
    func page(of wanted: FreshnessClass?, from start: Int, limit: Int, at now: Instant) -> Page {
        var views: [View] = []
        var row = min(start, instances.count)
        let end = min(instances.count, row + 100_000)
        while row < end, views.count < limit {
            let isWanted = wanted == nil || instances[row].station.monitor.freshness?.classification(at: now) == wanted
            if isWanted, !instances[row].isForgotten { views.append(view(row, at: now)) }
            row += 1
        }
        return Page(instances: views, next: row < instances.count ? row : nil)
    }

    private func view(_ row: Int, at now: Instant) -> View {
        let instance = instances[row]
        let phase =
            switch instance.station.monitor.freshness {
            case nil: instance.tokenState == .none ? "waiting" : "closed"
            case .some(let freshness): freshness.isClosed ? "closed" : freshness.isOver ? "ending" : "live"
            }
        return View(
            id: instance.id,
            freshness: instance.station.monitor.freshness?.classification(at: now),
            phase: phase,
            token: instance.tokenState,
            shown: instance.station.confirmed,
            announced: instance.station.announced?.content
        )
    }
}
