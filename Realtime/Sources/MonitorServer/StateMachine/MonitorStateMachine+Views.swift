import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// Views of instances.
extension MonitorStateMachine {
    /// Returns one instance; `nil` if it is unknown.
    func view(of id: InstanceID, at now: Instant) -> InstanceView? { row(of: id).map { view($0, at: now) } }

    /// Returns the instances of a class, or all.
    ///
    /// - Complexity: A page scans at most 100,000 instances, so it may be empty and yet not the last.
    func page(of wanted: FreshnessClass?, from start: Int, limit: Int, at now: Instant) -> InstancePage {
        var views: [InstanceView] = []
        var row = min(start, instances.count)
        let end = min(instances.count, row + 100_000)
        while row < end, views.count < limit {
            let isWanted = wanted == nil || instances[row].station.monitor.freshness?.classification(at: now) == wanted
            if isWanted, !instances[row].isForgotten { views.append(view(row, at: now)) }
            row += 1
        }
        return InstancePage(instances: views, next: row < instances.count ? row : nil)
    }

    private func view(_ row: Int, at now: Instant) -> InstanceView {
        let instance = instances[row]
        let phase: InstanceView.Phase =
            switch instance.station.monitor.freshness {
            case nil: instance.tokenState == .none ? .waiting : .closed
            case .some(let freshness): freshness.isClosed ? .closed : freshness.isOver ? .ending : .live
            }
        return InstanceView(
            instance: instance.id.text,
            freshness: instance.station.monitor.freshness?.classification(at: now),
            phase: phase,
            token: instance.tokenState,
            shown: instance.station.confirmed,
            announcedAt: instance.station.announced?.content.generatedAt
        )
    }
}
