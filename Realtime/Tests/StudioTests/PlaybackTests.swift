import Foundation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Studies
import TestSupport
import Testing

@testable import Studio

@Suite("Playback of a day")
struct PlaybackTests {
    /// Many events and few activities: an hour of it keeps a processor busy for many seconds.
    private static let dense = """
        name: dense
        clock: {duration: 2h, warm_up: 0s}
        rides: {arrivals: {count: 40}}
        content: {refresh: {constant: 10ms}}

        """

    private static func session() throws -> StudioSession {
        let scratch = Scratch()
        let file = try scratch.write(dense, to: "town.yaml")
        return StudioSession(source: try ScenarioOfStudio(path: file, settings: []), towns: Towns(jobs: 1))
    }

    private static func playback() async throws -> Playback {
        let world = try ScenarioLoader.world(ScenarioReader.read(yaml: "name: town", named: "town.yaml"))
        return try await Playback.begin(world, at: .minutes(30)) { _ in }
    }

    @Test("One request plays at most an hour of the day, and the message states the limit")
    func bounded() async throws {
        let session = try Self.session()
        _ = try await session.play([], from: .zero)
        await #expect {
            _ = try await session.playOn(by: .hours(1), times: 2)
        } throws: { error in
            (error as? MessageError)?.sentence
                == "step_ms times `times` is 7200000 ms of the day; allowed: 3600000 ms in one request"
        }
    }

    @Test(
        "Closing the page or sending another request ends the playback",
        arguments: ["end", "frames", "day"]
    )
    func cancelled(by event: String) async throws {
        let session = try Self.session()
        _ = try await session.play([], from: .zero)
        let playing = Task { try await session.playOn(by: .hours(1), times: 1) }
        #expect(await eventually { await session.isPlaying })
        switch event {
        case "end": await session.end()
        case "frames": _ = try await session.playOn(by: .milliseconds(1), times: 1)
        default: _ = try await session.play([], from: .zero)
        }
        // Only if part of the hour remains to be played.
        await #expect(throws: CancellationError.self) { try await playing.value }
        await session.end()
    }

    @Test("Stop ends a history that is being read and a day that is being opened", arguments: ["story", "day"])
    func stopped(work: String) async throws {
        let session = try Self.session()
        let task = Task {
            work == "story" ? try await session.story(of: 0, []) : try await session.play([], from: .hours(2))
        }
        #expect(await eventually { await session.isBusy })
        await session.stop()
        await #expect(throws: CancellationError.self) { try await task.value }
        await session.end()
    }

    @Test("Progress is reported at whole percents only")
    func percents() {
        var (steps, reported) = (PercentSteps(), [Double]())
        for second in 0...1000 {
            steps.pass(.start + .seconds(Int64(second)), of: .start + .seconds(1000)) { reported.append($0) }
        }
        #expect(reported == (1...100).map { Double($0) / 100 })
    }

    @Test("Changes from a cancelled request are reported with the next steps")
    func nothingIsLost() async throws {
        let (whole, broken) = (try await Self.playback(), try await Self.playback())
        #expect(await whole.opening() == broken.opening())
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await broken.next(.minutes(1), times: 3)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let rest = try await broken.next(.minutes(5), times: 1)
        #expect(try await whole.next(.minutes(5), times: 1) == rest)
        #expect(rest.contains("\"now_us\":\(TimeSpan.minutes(35).microseconds),"))
    }
}
