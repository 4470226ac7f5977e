import Evaluation
import LiveActivityModel
import SimulationKernel
import Statistics
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("Designs")
struct CombinationsTests {
    private func labels(_ section: String) throws -> [[String]] {
        try SmallSweep.labels(SmallSweep.scenario + "factors:\n" + section)
    }

    @Test("A grid has all combinations of levels; the last factor changes fastest")
    func grid() throws {
        #expect(
            try labels("  vary: {monitor.fresh_limit: [1m, 2m], rides.scale: {low: 1, mid: 2, high: 3}}")
                == [["1m", "low"], ["1m", "mid"], ["1m", "high"], ["2m", "low"], ["2m", "mid"], ["2m", "high"]]
        )
    }

    @Test("Zipped factors vary together, whatever their order; columns keep the order of the file")
    func zip() throws {
        #expect(
            try labels(
                """
                  vary: {content.ttl: [1m, 2m], rides.scale: [1, 2], monitor.fresh_limit: [3m, 4m]}
                  zip: [[monitor.fresh_limit, content.ttl]]
                """
            ) == [["1m", "1", "3m"], ["1m", "2", "3m"], ["2m", "1", "4m"], ["2m", "2", "4m"]]
        )
    }

    @Test("Two points measure a response alike unless a setting that defines it differs")
    func bases() throws {
        let text = SmallSweep.scenario + "factors: {vary: {content.ttl: [1m, 2m], rides.scale: [1, 2]}}\n"
        let factors = try #require(try ScenarioReader.read(yaml: text, named: "small.yaml").experiment.factors)
        let levels = factors.combinations(random: RandomSource(seed: 1, replication: 0))
        let (fresh, pushes) = (Response(metric: "displayed_fresh_time_ratio"), Response(metric: "pushes_per_activity"))
        #expect(factors.measuresAlike(fresh, levels[0], levels[1]))
        #expect(!factors.measuresAlike(fresh, levels[0], levels[2]))
        #expect(factors.measuresAlike(pushes, levels[0], levels[2]))
        #expect(!factors.measuresAlike(fresh) && factors.measuresAlike(pushes))
    }

    @Test("Conditions leave points out; the others are numbered in order and keep their numbers in a part")
    func conditions() throws {
        let whole = try SmallSweep.sweep()
        let expected = [["1m", "short"], ["2m", "short"], ["2m", "long"], ["4m", "short"], ["4m", "long"]]
        #expect(whole.points.map { $0.levels.map(\.label) } == expected)
        #expect(whole.points.map(\.number) == [0, 1, 2, 3, 4])
        #expect(whole.isWhole)
        let part = try SmallSweep.sweep(only: ["content.ttl == long", "monitor.fresh_limit > 2m"])
        #expect(part.points.map(\.number) == [4])
        #expect(part.designSize == 5 && !part.isWhole)
        #expect(part.points[0].run == whole.points[4].run)
        #expect(part.tasks.map(\.id) == whole.tasks.suffix(2).map(\.id))
    }

    @Test(
        "A Latin hypercube uses each stratum of each factor once",
        .enabled(if: Loop.isFull),
        arguments: [1, 2, 7, 20]
    )
    func latinHypercube(_ points: Int) throws {
        let section = """
              design: latin_hypercube
              points: \(points)
              vary: {rides.scale: {from: 0.0, to: 1}, apns.loss: {from: 0.0, to: 1}}
            """
        let rows = try SmallSweep.sweep("name: town\nfactors:\n" + section).points.map { $0.levels.map(\.label) }
        #expect(rows.count == points)
        for column in 0..<2 {
            let strata = rows.compactMap { NumberText.number($0[column]) }.map { Int($0 * Double(points)) }
            #expect(strata.sorted() == Array(0..<points))
        }
        // The draws depend on the seed: equal for equal seeds, different for different ones.
        #expect(try SmallSweep.labels("name: town\nfactors:\n" + section) == rows)
        let otherSeed = try SmallSweep.labels("name: town\nseed: 2\nfactors:\n" + section)
        #expect(points < 7 || otherSeed != rows)
    }

    @Test("Sobol's sequence begins as in its papers (1/2, then 3/4 and 1/4 alternately)")
    func sobol() throws {
        #expect(
            try labels(
                """
                  design: sobol
                  points: 3
                  vary: {monitor.fresh_limit: {from: 0s, to: 4m}, rides.scale: {from: 0.0, to: 4.0}}
                """
            ) == [["2m", "2"], ["3m", "1"], ["1m", "3"]]
        )
    }

    @Test("The crossed design has points · (factors + 2) rows; zipped factors count as one")
    func saltelli() throws {
        func count(_ zip: String) throws -> Int {
            try labels(
                """
                  design: saltelli
                  points: 4
                  vary:
                    monitor.fresh_limit: {from: 1m, to: 4m}
                    rides.scale: {from: 1.0, to: 4.0}
                    apns.loss: {from: 0%, to: 4%}
                """ + zip
            )
            .count
        }
        #expect(try count("") == 20)
        #expect(try count("\n  zip: [[rides.scale, apns.loss]]") == 16)
    }

    @Test("A file without factors is one point")
    func alone() throws {
        let sweep = try SmallSweep.sweep(SmallSweep.scenario)
        #expect(sweep.points.map(\.number) == [0])
        #expect(sweep.tasks.map(\.cells) == [0..<1, 1..<2, 2..<3])
    }

    @Test("An open number of replications is rejected, because tasks cannot see the precision of the run")
    func openEnd() throws {
        let yaml = SmallSweep.scenario + "replications: until half-width < 4%\n"
        let error = #expect(throws: ScenarioError.self) { try SmallSweep.sweep(yaml) }
        #expect(error?.description.contains("replications.until does not work with tasks") == true)
        #expect(try SmallSweep.sweep(yaml, replications: 3).replications == 3)
    }
}
