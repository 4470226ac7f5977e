import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("The present settings of a sweep")
struct PresentSettingsTests {
    private func sweep(_ vary: String, design: String = "", text: String = SmallSweep.scenario) throws -> Sweep {
        let directory = Scratch()
        let factors = "factors: {vary: {\(vary)}\(design), responses: [events_count]}\n"
        return try Sweep(
            ScenarioReader.read(file: directory.write(text + factors, to: "town.yaml")),
            besidePresent: true
        )
    }

    @Test("A design point with the file's values is the present one, and nothing else runs")
    func inDesign() throws {
        let sweep = try sweep("content.ttl: [1m, 90s], monitor.fresh_limit: [10s, 2m]")
        #expect(sweep.presents.isEmpty && sweep.tasks.count == 4 * sweep.replications)
        #expect(sweep.points.indices.map { sweep.present(of: $0) } == [3, 3, 3, 3])
        #expect(sweep.presentPoint == 3 && sweep.presentBeside == nil)
    }

    @Test("Otherwise one point with the next number runs beside the design, with tasks of its own")
    func besideDesign() throws {
        let sweep = try sweep("content.ttl: [1m, 2m]")
        #expect(sweep.points.count == 2 && sweep.presents.map(\.number) == [2])
        #expect(sweep.presents[0].levels.map(\.label) == ["1m30s"])
        #expect(sweep.points.indices.map { sweep.present(of: $0) } == [2, 2])
        #expect(sweep.tasks.count == 3 * sweep.replications)
        #expect(sweep.tasks(of: sweep.presents[0]).allSatisfy { $0.point == 2 })
        #expect(try sweep.world(of: sweep.presents[0]).scenario.content.ttl == .seconds(90))
        #expect(sweep.presentBeside == sweep.presents[0])
    }

    @Test("Each world of a design has present settings of its own, because only choices are compared")
    func worlds() throws {
        let sweep = try sweep("apns.loss: [0%, 5%], content.ttl: [1m, 2m]")
        #expect(sweep.presents.map(\.number) == [4, 5])
        #expect(sweep.presents.map { $0.levels.map(\.label) } == [["0%", "1m30s"], ["5%", "1m30s"]])
        #expect(sweep.points.indices.map { sweep.present(of: $0) } == [4, 4, 5, 5])
        #expect(try sweep.world(of: sweep.presents[1]).scenario.apns.loss > .never)
        #expect(sweep.presentBeside == nil)
    }

    @Test("Present settings that make no scenario in a world are missing there, with the reason")
    func missing() throws {
        // A request can be cancelled only without servers of APNs.
        let sweep = try sweep(
            "apns.capacity: [unlimited, {servers: 1, service_time: 10ms}], sender.preempt: ['none']",
            text: SmallSweep.scenario + "sender: {preempt: replace}\napns: {latency_from: response}\n"
        )
        #expect(sweep.presents.map(\.number) == [2])
        #expect(sweep.points.indices.map { sweep.present(of: $0) } == [2, nil])
        let note = try #require(sweep.noteOnAbsentPresent)
        #expect(
            note.hasPrefix("Today's settings are missing at 1 of 2 design points, because they make no run: "),
            "\(note)"
        )
        #expect(note.contains("sender.preempt must be none with apns.capacity"))
        #expect(try self.sweep("content.ttl: [1m, 2m]").noteOnAbsentPresent == nil)
    }

    @Test("Present settings with a long value are called today, and sentences have the value")
    func longValue() throws {
        let sweep = try sweep("monitor.retry: {once: {max_attempts: 1}, twice: {max_attempts: 2}}")
        let level = sweep.presents[0].levels[0]
        #expect(level.label == "(today)" && level.words.hasPrefix("{max_attempts: "), "\(level.words)")
    }

    @Test(
        "A design of the world alone, a sensitivity study and random worlds have none",
        arguments: [
            ("apns.loss: [0%, 5%]", ""), ("content.ttl: {from: 1m, to: 2m}", ", design: saltelli, points: 4"),
            ("apns.loss: {from: 0%, to: 5%}, content.ttl: {from: 1m, to: 2m}", ", design: sobol, points: 4"),
        ]
    )
    func none(_ vary: String, _ design: String) throws {
        let sweep = try sweep(vary, design: design)
        #expect(sweep.presents.isEmpty && sweep.points.indices.allSatisfy { sweep.present(of: $0) == nil })
    }
}
