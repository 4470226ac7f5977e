import FreshnessCore
import LiveActivityModel
import Quantities

extension GoldenTrace {
    /// Runs the script and compares the events with the expected ones.
    func judgement(of known: Case, world: World) -> Judgement {
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .ride(0))
        _ = cell.run(through: world.horizon)
        cell.finish()
        let happened = GoldenTrace.log(cell.story)
        let stale = cell.measurements.time(.recoverableTime)
        let difference = difference(happened, stale: stale)
        return Judgement(
            id: known.id,
            verdict: difference == nil ? .pass : .fail,
            exact: Double(staleMilliseconds),
            estimate: Double(stale) / 1000,
            halfWidth: 0,
            z: stale == staleMilliseconds * 1000 ? 0 : nil,
            seeds: 1,
            remark: difference ?? "\(log.count) lines"
        )
    }

    /// The first difference from the expected trace; nil if there is none.
    private func difference(_ happened: [String], stale: Int64) -> String? {
        for index in 0..<max(happened.count, log.count) {
            let got = index < happened.count ? happened[index] : "nothing"
            let wanted = index < log.count ? log[index] : "nothing"
            if got != wanted { return "line \(index + 1) is \"\(got)\", must be \"\(wanted)\"" }
        }
        guard stale == staleMilliseconds * 1000 else {
            return "stale for \(stale) µs, must be \(staleMilliseconds * 1000)"
        }
        let end = GoldenTrace.final(happened)
        return end == final ? nil : "it ends \(end), must be \(final)"
    }

    /// A history in the words of the traces, with times in milliseconds.
    ///
    /// The traces end with the instance: pushes that reach the phone later are not part of them, but pushes that are
    /// sent later are.
    static func log(_ story: [StoryLine]) -> [String] {
        var lines: [String] = []
        var isClosed = false
        for (index, line) in story.enumerated() {
            let next = index + 1 < story.count ? story[index + 1] : nil
            guard let words = words(line, followedBy: next) else { continue }
            if case .fate = line.happening, isClosed { continue }
            let time = line.at.microseconds
            lines.append(time % 1000 == 0 ? "\(time / 1000) \(words)" : "\(time) µs \(words)")
            isClosed = isClosed || words.hasPrefix("token-")
        }
        return lines
    }

    private static func words(_ line: StoryLine, followedBy next: StoryLine?) -> String? {
        switch line.happening {
        case .started: return "start"
        case .sent(let kind, _, _): return "send \(kind)"
        case .classified(.recoverable): return "class stale"
        case .classified(.severe): return "class severe"
        case .fate(let kind, .shown):
            if case .confirmed(.late) = next?.happening { return "late \(kind)" }
            return "shown \(kind)"
        case .fate(let kind, .older): return "ignored-older \(kind)"
        case .confirmed(.recovered): return "class fresh"
        case .tokenInvalidated: return "token-invalidated"
        case .tokenDiscarded: return "token-dead"
        default: return nil
        }
    }

    /// The final state of the instance.
    private static func final(_ log: [String]) -> String {
        var state = "fresh"
        for line in log {
            let words = line.split(separator: " ").dropFirst()
            switch words.first {
            case "class": state = words.last.map(String.init) ?? state
            case "token-invalidated", "token-dead": state = words.first.map(String.init) ?? state
            default: break
            }
        }
        return state
    }
}
