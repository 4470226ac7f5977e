package import FreshnessCore
import LiveActivityModel
package import Quantities

/// What can be read of instances.
extension MonitorBrain {
    /// One instance, as responses show it; never its token.
    package struct View: Sendable {
        /// Its name.
        package let id: InstanceID
        /// Its class; nil before its first token, when it ends because its ride is over, and when it is closed.
        package let freshness: FreshnessClass?
        /// `waiting` for a token, `live`, `ending` or `closed`.
        package let phase: String
        /// What became of its token.
        package let token: TokenState
        /// What it is believed to show.
        package let shown: ContentStamp?
        /// What it is to show.
        package let announced: ContentStamp?
    }

    /// A part of the instances.
    package struct Page: Sendable {
        /// Instances, in the order in which they came.
        package let instances: [View]
        /// Where the next page begins; nil after the last one.
        package let next: Int?
    }

    /// One instance; nil if it is not known.
    package func view(of id: InstanceID, at now: Instant) -> View? {
        row(of: id).map { view($0, at: now) }
    }

    /// The instances of a class, or all.
    ///
    /// - Complexity: A page looks at 100,000 instances at most, so it may be empty and yet not the last.
    package func page(of wanted: FreshnessClass?, from start: Int, limit: Int, at now: Instant) -> Page {
        var views: [View] = []
        var row = min(start, instances.count)
        let end = min(instances.count, row + 100_000)
        while row < end, views.count < limit {
            if instances[row].isForgotten {
                row += 1
                continue
            }
            if wanted == nil || instances[row].station.freshness?.classification(at: now) == wanted {
                views.append(view(row, at: now))
            }
            row += 1
        }
        return Page(instances: views, next: row < instances.count ? row : nil)
    }

    private func view(_ row: Int, at now: Instant) -> View {
        let instance = instances[row]
        let phase =
            switch instance.station.freshness {
            case nil: instance.tokenState == .none ? "waiting" : "closed"
            case .some(let freshness): freshness.isClosed ? "closed" : freshness.isOver ? "ending" : "live"
            }
        return View(
            id: instance.id,
            freshness: instance.station.freshness?.classification(at: now),
            phase: phase,
            token: instance.tokenState,
            shown: instance.confirmed,
            announced: instance.announced?.stamp
        )
    }
}
