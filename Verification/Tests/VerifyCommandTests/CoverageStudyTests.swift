import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The verdicts of `scripts/coverage-study` on planted intervals, and a small study.
@Suite("The coverage of the long-run value by intervals")
struct CoverageStudyTests {
    private let scratch = Scratch()

    private static let study = Command.root.appending(path: "scripts/coverage-study").path
    private static let freshet = Command.directory.appending(path: "freshet").path
    private static let header = "scope,metric,stat,unit,value,ci_low,ci_high,n\n"

    /// The rows of `summary.csv` with intervals around 10 or, in the first runs, that miss it.
    private struct Rows {
        var printed = 200
        var missing = 8
        var isCount = false

        func line(_ run: Int) -> String {
            let interval = run < missing ? "11,12" : "9,11"
            return
                "all,\(isCount ? "a_count,total,count" : "a_ratio,ratio,1"),10,\(run < printed ? interval : ","),16\n"
        }
    }

    /// Judges runs of one replication.
    private func judge(_ rows: Rows..., runs: Int = 200) throws -> Command.Outcome {
        let scratch = Scratch()
        for run in 0..<runs {
            let lines = rows.map { $0.line(run) }.joined()
            try scratch.write(Self.header + lines, to: "town-1000/cells/\(run)/summary.csv")
        }
        let lines = rows.map { $0.line(.max) }.joined()
        try scratch.write(Self.header + lines, to: "town-1000/long-run/0/summary.csv")
        try scratch.write(#"{"replications": 1}"#, to: "town-1000/long-run/0/run.json")
        return try Command.run("\(Self.study) --results \(scratch)", program: "/usr/bin/env")
    }

    @Test("A row fails beyond the effect of chance at 8% misses, whatever share of the runs prints it: exit 99")
    func rows() throws {
        let good = try judge(Rows(missing: 10), Rows(isCount: true))
        #expect(good.status == 0, "\(good.output)\(good.errors)")
        #expect(
            good.output.hasSuffix("| town | 1000 | cells | 200 | 2 | 96.0 | 95.0 | 0, 2, 0 | holds |\n"),
            "\(good.output)"
        )
        let narrow = try judge(Rows(missing: 40))
        #expect(narrow.status == 99)
        #expect(
            narrow.errors.contains("cells: a_ratio all ratio: 160 of 200 hold the long-run value"),
            "\(narrow.errors)"
        )
        #expect(try !judge(Rows(printed: 4, missing: 4), runs: 20).errors.contains("a_ratio"))
    }

    @Test("All rows together contain the value in 92 to 98.5% of the cases, separately for counts and others")
    func pooled() throws {
        #expect(try judge(Rows(missing: 20)).status == 99)
        #expect(try judge(Rows(missing: 1)).status == 99)
        #expect(try judge(Rows(), Rows(missing: 20, isCount: true)).status == 99)
        // Too few runs for a verdict.
        #expect(try judge(Rows(printed: 40, missing: 4), runs: 40).status == 0)
    }

    @Test(
        "A study runs a scenario at another size and judges cells, replications and windows",
        .enabled(if: Loop.isFull),
        .enabled(if: FileManager.default.isExecutableFile(atPath: freshet), "scripts/build-tests . builds freshet")
    )
    func study() throws {
        let town = try scratch.write(Self.town, to: "town.yaml")
        let arguments = [Self.study, "--freshet", Self.freshet, "--rides", "80", "--seeds", "10", "--csv", town]
        let outcome = try Command.run(arguments, program: "/usr/bin/env")
        #expect([0, 99].contains(outcome.status), "\(outcome.errors)")
        let rides = outcome.output.split(separator: "\n")
            .first { $0.contains(",cells,10,rides_requested_count all total,") }
        let held = try #require(rides?.split(separator: ",").last.flatMap { Int($0) }, "\(outcome.output)")
        #expect(held >= 8)
        #expect(outcome.output.contains("town,80,replications,2,"))
        // Rates differ from hour to hour.
        #expect(!outcome.output.contains(",windows,"))
        let even = try scratch.write(
            "extends: town.yaml\nrides: {arrivals: {process: even, count: 5}}\n",
            to: "even.yaml"
        )
        #expect(try Command.run([Self.study, "--freshet", Self.freshet, even], program: "/usr/bin/env").status == 65)
    }

    private static let town = """
        name: town
        cells: 8
        clock: {duration: 2h, drain: 1h, window: 10m}
        rides:
          arrivals: {process: poisson, rates_per_hour: [500, 300]}
          stages: [{name: on_trip, duration: {exponential: {mean: 5m}}}]
        content: {refresh: 1m}
        devices: {system_limit: 20m}

        """
}
