import LiveActivityModel
import LoadGenerator
import Quantities

/// APNs in this process, in virtual time, for a cell with an external APNs.
struct InProcessBackend: APNsBackend {
    func endings(in world: World) async throws -> [UInt64: Ending] {
        var cell = CellSimulation(world: world, cell: 0, remote: .observed, watch: .all)
        var apns = InProcessAPNs(APNsRules(world: world))
        apns.play(with: &cell, through: world.horizon)
        return Ending.of(cell.story)
    }
}

extension InProcessAPNs {
    /// Runs a cell with this APNs.
    ///
    /// - Returns: The number of its requests.
    @discardableResult
    mutating func play(with cell: inout CellSimulation, through horizon: Instant) -> Int {
        var happenings: [LiveInbox.Item] = []
        var requests = 0
        while true {
            while nextDue <= cell.now {
                proceed(to: cell.now) { happenings.append($0) }
            }
            for happening in happenings {
                cell.hear(happening.news, at: happening.at)
            }
            happenings.removeAll(keepingCapacity: true)
            let border = nextDue == .never ? Instant.never : Instant(microseconds: nextDue.microseconds - 1)
            if cell.step(through: border) {
                for news in cell.takeOutbox() {
                    if case .request = news { requests += 1 }
                    hear(news, at: cell.now) { happenings.append($0) }
                }
            } else if nextDue == .never || nextDue > horizon {
                return requests
            } else {
                proceed(to: nextDue) { happenings.append($0) }
            }
        }
    }
}
