import Evaluation
import Foundation
import LiveActivityModel
import PageServer
import Quantities
import Reporting
import Results
import ScenarioLanguage
import Studies
import TextFormats

/// The work that one page has requested: a new request replaces the previous one.
actor StudioSession {
    /// The events that are sent to the page.
    nonisolated let events = EventStream()

    private let source: ScenarioOfStudio
    private let towns: Towns
    /// The most recently requested preview size.
    private var sized: (settings: [String], factor: Double, size: Town.Size)?
    private var work: Task<Void, Never>?
    /// The most recently requested day, while it is being opened.
    private var opening: Task<Playback, any Error>?
    private var playback: Playback?
    /// The most recently requested frames.
    private var playing: Task<String, any Error>?
    /// The most recently requested history.
    private var reading: Task<String, any Error>?

    /// Creates a session without requests.
    init(source: ScenarioOfStudio, towns: Towns) {
        self.source = source
        self.towns = towns
    }

    /// Ends all work.
    func end() {
        work?.cancel()
        opening?.cancel()
        reading?.cancel()
        playing?.cancel()
        playback = nil
        events.finish()
    }

    /// Stops the work that the page waits for; finished replications are kept.
    func stop() {
        work?.cancel()
        opening?.cancel()
        reading?.cancel()
    }

    /// Ends all work to make room for another page, and notifies this one.
    func giveWay() {
        events.send("replaced", "{}")
        end()
    }

    // MARK: - Two worlds

    /// The base and the changed world at one preview size.
    private struct Pair: Sendable {
        let base: Town
        /// `nil` if nothing is changed.
        let changed: Town?
        let size: Town.Size

        /// Returns the result of the base, and of the changed world if there is one.
        func results(over count: Int, progress: RunProgress) async throws -> (base: RunResult, changed: RunResult?) {
            await base.announce(count, to: progress)
            await changed?.announce(count, to: progress)
            return (
                try await base.result(over: count, progress: progress),
                try await changed?.result(over: count, progress: progress)
            )
        }
    }

    /// Returns the worlds of a request at a preview size.
    private func pair(_ question: Question, _ size: Town.Size) throws -> Pair {
        Pair(
            base: try town(question.base, size),
            changed: try question.changed == question.base ? nil : town(question.changed, size),
            size: size
        )
    }

    /// Simulates the base and the changed world and sends answers until they are precise enough.
    ///
    /// The rides of a trace are not random, so all of them follow once a part of them has given a precise answer.
    ///
    /// - Throws: An error in the settings; earlier answers remain valid.
    func compare(_ question: Question) throws {
        let began = ContinuousClock.now
        let size = try size(question.base, times: question.town)
        let hasTrace = source.scenario.rides.trace != nil
        let isFollowed = hasTrace && !size.isWhole && size.wholeEvents <= Playback.mostEvents
        let sizes = [size] + (isFollowed ? [try self.size(question.base, times: .infinity)] : [])
        let pairs = try sizes.map { try pair(question, $0) }
        work?.cancel()
        playing?.cancel()
        work = Task {
            do {
                for (index, pair) in pairs.enumerated() {
                    try await refine(question, pair, isFollowed: index < pairs.count - 1, since: began)
                }
            } catch {
                // A request that was stopped or replaced needs no answer.
            }
        }
    }

    private func refine(
        _ question: Question,
        _ pair: Pair,
        isFollowed: Bool,
        since began: ContinuousClock.Instant
    ) async throws {
        let start = ContinuousClock.now
        var count = 4
        while true {
            let answer = try await reporting(question.number) { [count] progress in
                let (base, changed) = try await pair.results(over: count, progress: progress)
                return StudioAnswer(base: base, changed: changed, size: pair.size)
            }
            let now = ContinuousClock.now
            let isPrecise = answer.halfWidth.map { $0 <= question.halfWidth } ?? false
            let isLast = isPrecise || count >= Question.mostReplications || now - start > Question.longest
            try Task.checkCancellation()
            events.send(
                "answer",
                answer.json(
                    number: question.number,
                    isLast: isLast,
                    isFollowed: isFollowed,
                    elapsed: now - began,
                    goal: question.goal
                )
            )
            if isLast { return }
            count = min(answer.nextCount(for: question.halfWidth), Question.mostReplications)
        }
    }

    /// Simulates one replication of at least a whole cell of both worlds, and sends the use of their senders' limits.
    ///
    /// - Throws: An error in the settings, or ``MessageError`` if a whole cell has too many events.
    func capacity(_ question: Question) throws {
        let began = ContinuousClock.now
        let size = Town.Size.wholeCell(of: try source.scenarioWithRides(question.base))
        let pair = try pair(question, size)
        for town in [pair.base, pair.changed].compactMap(\.self) {
            try Playback.check(town.world.scenario, cells: size.cells)
        }
        let allCells = try source.scenario(question.base).cells
        work?.cancel()
        playing?.cancel()
        work = Task {
            let answer = try? await reporting(question.number) { progress in
                let (base, changed) = try await pair.results(over: 1, progress: progress)
                let worlds = [base, changed].compactMap(\.self)
                var json = JSONText()
                json.add("ask", question.number)
                json.add("cells", size.cells)
                json.add("all_cells", allCells)
                json.add("warning", size.warning)
                json.add("rides", (changed ?? base).total[.ridesRequested])
                json.add("worlds", raw: CapacityPage.json(of: worlds).text.onOneLine)
                json.add("ms", Int((ContinuousClock.now - began) / .milliseconds(1)))
                return json.document
            }
            guard let answer, !Task.isCancelled else { return }
            events.send("capacity", answer)
        }
    }

    /// The time between two reports of progress.
    private static let pulse = Duration.milliseconds(200)

    /// Does some work and reports its progress to the page meanwhile.
    private func reporting<Value: Sendable>(
        _ number: Int,
        _ work: @Sendable (RunProgress) async throws -> Value
    ) async throws -> Value {
        let progress = RunProgress()
        let pulse = Task { [events] in
            while true {
                try await Task.sleep(for: Self.pulse)
                events.send("progress", "{\"ask\":\(number),\"share\":\(progress.state.share)}")
            }
        }
        defer { pulse.cancel() }
        return try await work(progress)
    }

    // MARK: - A grid of two keys

    /// Sends two responses at each point of a grid as points finish.
    ///
    /// - Throws: An error in the settings of any point, before the first is run.
    func trade(_ question: GridQuestion) throws {
        let size = try size(question.base, times: question.town)
        let responses = try question.resolved(in: source.scenario(question.base))
        // All points are read first, so an error is reported at once rather than halfway through.
        let points = try question.points.map { try town(question.base + $0, size) }
        work?.cancel()
        playing?.cancel()
        work = Task {
            _ = try? await reporting(question.number) { [events] progress in
                for point in points { await point.announce(GridQuestion.replications.last ?? 0, to: progress) }
                for count in GridQuestion.replications {
                    var values = responses.map { _ in [ResponseValues]() }
                    for (index, point) in points.enumerated() {
                        let result = try await point.result(over: count, progress: progress)
                        try Task.checkCancellation()
                        for (place, response) in responses.enumerated() {
                            values[place].append(ResponseValues(of: response, in: result))
                        }
                        let isLastPoint = index == points.count - 1
                        events.send(
                            "point",
                            question.json(
                                point: index,
                                responses,
                                result,
                                size: size,
                                values: isLastPoint ? values : nil,
                                isLast: count == GridQuestion.replications.last && isLastPoint
                            )
                        )
                    }
                }
            }
        }
    }

    // MARK: - The day, played

    /// Starts to play a world from an instant; returns the activities on screens at that time.
    ///
    /// - Throws: `CancellationError` if another day was requested meanwhile, whichever of them is ready first.
    func play(_ settings: [String], from start: TimeSpan) async throws -> String {
        work?.cancel()
        opening?.cancel()
        playing?.cancel()
        let world = try source.world(settings)
        try Playback.check(world.scenario)
        playback = nil
        let task = Task {
            try await Playback.begin(world, at: start) { [events] share in
                events.send("opening", "{\"share\":\(share)}")
            }
        }
        opening = task
        let opened = try await task.value
        guard opening == task else { throw CancellationError() }
        playback = opened
        return await opened.opening()
    }

    /// A Boolean value that indicates whether a page has requested frames.
    var isPlaying: Bool { playing != nil }

    /// A Boolean value that indicates whether a day has been requested or a history.
    var isBusy: Bool { opening != nil || reading != nil }

    /// Plays on; returns the changes, step by step.
    ///
    /// - Throws: `CancellationError` if something else was requested meanwhile or the page has gone.
    func playOn(by step: TimeSpan, times: Int) async throws -> String {
        try Playback.check(step, times: times)
        guard let playback else { throw MessageError(sentence: "no day is open: open one first") }
        playing?.cancel()
        let task = Task { [before = playing] in
            // Only one request plays a day at a time.
            _ = await before?.result
            return try await playback.next(step, times: times)
        }
        playing = task
        return try await task.value
    }

    /// Returns the history of one activity, in words and as a picture.
    ///
    /// - Throws: `CancellationError` if another history was requested meanwhile.
    func story(of ride: UInt64, _ settings: [String]) async throws -> String {
        reading?.cancel()
        let world = try source.world(settings)
        try Playback.check(world.scenario, cells: 1)
        let task = Task.detached { [events] in
            try await Self.story(of: ride, in: world) { events.send("reading", "{\"share\":\($0)}") }
        }
        reading = task
        return try await task.value
    }

    private static func story(
        of ride: UInt64,
        in world: World,
        report: (Double) -> Void
    ) async throws -> String {
        var cell = CellSimulation(
            world: world,
            cell: world.cell(ofRide: ride, replication: 0),
            replication: 0,
            watch: .ride(ride),
            search: ActivitySearch(.ride(ride), count: 1)
        )
        var percent = PercentSteps()
        while cell.run(through: world.horizon, atMost: RunEngine.slice) {
            try Task.checkCancellation()
            percent.pass(cell.now, of: world.horizon, report)
            await Task.yield()
        }
        cell.finish()
        guard !cell.story.isEmpty else {
            throw MessageError(
                sentence: "there is no ride \(ride) in this run: rides are numbered from 0 in the order of requests"
            )
        }
        let story = Story(ofRide: ride, in: &cell, of: world.scenario)
        var json = JSONText()
        json.add("verdict", story.verdict)
        json.add("story", raw: story.json.onOneLine)
        json.add("chart", raw: Chart.story(story)?.text.onOneLine)
        return json.document
    }

    // MARK: - Pieces

    /// Returns the preview size, which depends on the base alone.
    ///
    /// It is kept while the user moves a slider, so that the base is not read each time.
    private func size(_ settings: [String], times factor: Double) throws -> Town.Size {
        if let sized, sized.settings == settings, sized.factor == factor { return sized.size }
        let size = Town.Size(of: try source.scenarioWithRides(settings), times: factor)
        sized = (settings, factor, size)
        return size
    }

    private func town(_ settings: [String], _ size: Town.Size) throws(ScenarioError) -> Town {
        try towns.town(settings, size) { () throws(ScenarioError) in
            try source.world(settings) { scenario in
                scenario.cells = size.cells
                scenario.rides.scale *= size.scale
                scenario.replications.until = nil
            }
        }
    }
}

extension String {
    /// The JSON document without line breaks.
    ///
    /// The texts in it have none.
    var onOneLine: String { replacing("\n", with: " ") }
}
