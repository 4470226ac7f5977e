import Evaluation
import FreshnessCore
import LiveActivityModel
import Quantities
import Studies

/// Cells of a world at full load, simulated only as far as a page has watched.
actor Playback {
    /// The approximate maximum number of activities on the page at one time.
    private static let mostActivities = 5000.0

    /// A cell.
    ///
    /// The box is a class because cells cannot be copied.
    private final class Box {
        var cell: CellSimulation

        init(_ cell: consuming CellSimulation) { self.cell = cell }
    }

    /// The last reported state of an activity: what its screen shows, what the server believes, and the stage of its
    /// ride.
    private struct Seen: Equatable {
        let screen: UInt8
        let belief: UInt8
        let stage: UInt8
    }

    private let world: World
    private let boxes: [Box]
    private var now: Instant
    private var seen: [UInt64: Seen] = [:]

    private init(_ world: World, cells: Int) {
        self.world = world
        boxes = (0..<cells).map { Box(CellSimulation(world: world, cell: $0, replication: 0)) }
        now = .start
    }

    /// Creates a playback of as many cells as a page can show, and runs them up to an instant.
    ///
    /// - Parameter tell: Called with the progress, 0...1.
    /// - Throws: `CancellationError` when the task is cancelled.
    static func begin(
        _ world: World,
        at start: TimeSpan,
        tell: @Sendable (Double) -> Void
    ) async throws -> Playback {
        let playback = Playback(world, cells: shownCells(of: world.scenario))
        try await playback.run(to: min(.start + start, world.horizon), tell: tell)
        return playback
    }

    /// Returns the number of cells of a scenario that a page can show.
    private static func shownCells(of scenario: Scenario) -> Int {
        let perCell = max(1, RunEstimate(scenario).liveActivities / Double(scenario.cells))
        return max(1, min(scenario.cells, Int(mostActivities / perCell)))
    }

    /// The maximum number of events to simulate: more would keep a processor busy for minutes.
    ///
    /// A day of New York in one cell has half as many.
    static let mostEvents = 5e7

    /// Refuses a day that has too many events in the cells to show.
    static func check(_ scenario: Scenario, cells: Int? = nil) throws(MessageError) {
        let part = Double(cells ?? shownCells(of: scenario)) / Double(scenario.cells)
        let events = RunEstimate(scenario).events * part
        guard events <= mostEvents else {
            throw MessageError(
                sentence: "this day has about \(Int(events / 1e6)) million events in the cells to show; allowed: "
                    + "\(Int(mostEvents / 1e6)) million. Reduce rides.scale, or start the studio with more cells (--set cells=…)"
            )
        }
    }

    /// The maximum time to play per request.
    ///
    /// At its highest speed the page plays a sixth of it per second.
    private static let longest = TimeSpan.hours(1)

    /// Refuses a request whose steps add up to too long a time.
    static func check(_ step: TimeSpan, times: Int) throws(MessageError) {
        let span = step.microseconds * Int64(times)
        guard span <= longest.microseconds else {
            throw MessageError(
                sentence: "step_ms times `times` is \(span / 1000) ms of the day; allowed: "
                    + "\(longest.microseconds / 1000) ms in one request"
            )
        }
    }

    /// Runs all cells up to an instant, slice by slice.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. `now` is then the time of the cell that is furthest
    ///   ahead; the next call brings the other cells up to it.
    private func run(to instant: Instant, tell: (Double) -> Void = { _ in }) async throws {
        // This also applies after a cancellation: no cell may be queried for a time before its current one.
        defer { now = boxes.reduce(now) { max($0, $1.cell.now) } }
        var pauseAfter = UInt64(RunEngine.slice)
        for (index, box) in boxes.enumerated() {
            var percent = PercentSteps()
            var goesOn = true
            while goesOn {
                try Task.checkCancellation()
                let before = box.cell.eventCount
                goesOn = box.cell.run(through: instant, atMost: RunEngine.slice)
                // Many small cells share one slice.
                let events = goesOn ? pauseAfter : box.cell.eventCount - before
                if events < pauseAfter {
                    pauseAfter -= events
                } else {
                    pauseAfter = UInt64(RunEngine.slice)
                    percent.pass(box.cell.now, of: instant) { tell((Double(index) + $0) / Double(boxes.count)) }
                    await Task.yield()
                }
            }
            box.cell.look(at: instant)
            tell(Double(index + 1) / Double(boxes.count))
        }
    }

    /// The activities on screens at the beginning, as JSON.
    func opening() -> String {
        let changes = look()
        return """
            {"now_us":\(now.microseconds),"until_us":\(world.horizon.microseconds),"cells":\(boxes.count),\
            "all_cells":\(world.scenario.cells),"changes":[\(changes)]}
            """
    }

    /// Plays on in steps and returns the changes of each step.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. The next steps then include the changes up to that
    ///   point.
    func next(_ step: TimeSpan, times: Int) async throws -> String {
        let told = seen
        do {
            var frames: [String] = []
            for _ in 0..<times where now < world.horizon {
                try await run(to: min(now + step, world.horizon))
                frames.append("{\"now_us\":\(now.microseconds),\"changes\":[\(look())]}")
            }
            return "{\"frames\":[\(frames.joined(separator: ","))],\"over\":\(now >= world.horizon)}"
        } catch {
            seen = told
            throw error
        }
    }

    /// Returns the changes since the last report: ride, screen, belief and stage, in rows of four.
    ///
    /// Screen 9 means that the activity is gone.
    ///
    /// Rows are in the order of rides, so the same day gives the same bytes.
    private func look() -> String {
        var current: [UInt64: Seen] = [:]
        current.reserveCapacity(seen.count + 64)
        for box in boxes {
            box.cell.census { glance in
                current[glance.ride] = Seen(
                    screen: glance.screen.rawValue,
                    belief: glance.belief.map { $0.rawValue + 1 } ?? 0,
                    stage: UInt8(clamping: glance.stage)
                )
            }
        }
        var changes: [(ride: UInt64, seen: Seen)] = []
        for (ride, state) in current where seen[ride] != state { changes.append((ride, state)) }
        for ride in seen.keys where current[ride] == nil {
            changes.append((ride, Seen(screen: 9, belief: 0, stage: 0)))
        }
        seen = current
        changes.sort { $0.ride < $1.ride }
        return changes.map { "\($0.ride),\($0.seen.screen),\($0.seen.belief),\($0.seen.stage)" }.joined(separator: ",")
    }
}

/// Reports the progress of a simulation only when another whole percent is reached.
struct PercentSteps {
    private var reported = 0

    /// Reports the share of an instant, 0...1, of the time to simulate.
    mutating func pass(_ now: Instant, of end: Instant, _ report: (Double) -> Void) {
        let percent = Int(now.microseconds * 100 / max(1, end.microseconds))
        guard percent > reported else { return }
        reported = percent
        report(Double(percent) / 100)
    }
}
