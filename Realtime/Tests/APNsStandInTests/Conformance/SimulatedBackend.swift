import LiveActivityModel
import Quantities

/// A cell's own APNs, in virtual time: the outcomes in the cell's stories.
struct SimulatedBackend: APNsBackend {
    func endings(in world: World) async throws -> [UInt64: Ending] {
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .all)
        _ = cell.run(through: .never)
        return Ending.of(cell.story)
    }
}

extension Ending {
    /// Returns the outcomes of each ride's requests, from the stories of a cell.
    static func of(_ story: [StoryLine]) -> [UInt64: Ending] {
        var endings: [UInt64: Ending] = [:]
        var firstRequests: [UInt64: Instant] = [:]
        for line in story {
            var ending = endings[line.ride] ?? Ending()
            switch line.happening {
            case .sent:
                firstRequests[line.ride] = firstRequests[line.ride] ?? line.at
            case .sentOn:
                // The copy of a push of a channel.
                firstRequests[line.ride] = firstRequests[line.ride] ?? line.at
            case .answered(_, let refusal):
                ending.answers.append(refusal.map { .refused($0) } ?? .accepted)
            case .unanswered:
                ending.answers.append(.silence)
            case .fate(_, .lost), .fate(_, .deadToken):
                ending.fates.append(.lost)
            case .fate(_, let fate):
                ending.fates.append(.arrived)
                if ending.latency == nil, let sentAt = firstRequests[line.ride] { ending.latency = line.at - sentAt }
                if fate == .older { ending.isInOrder = false }
            default:
                continue
            }
            endings[line.ride] = ending
        }
        return endings
    }
}
