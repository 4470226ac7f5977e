import LiveActivityModel
import Testing

@testable import Evaluation
@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("The factors of a scenario file")
struct FactorsSectionTests {
    private static let everyForm = """
        name: town
        factors:
          design: grid
          vary:
            monitor.fresh_limit: [1m, 90s, 2m]
            monitor.retry:
              none: {max_attempts: 1}
              "fixed, 5s": {max_attempts: 3, backoff: {base: 5s, factor: 1, cap: 5s}}
            content.ttl: {from: 30s, to: 2m, steps: 4}
            apns.loss: {from: 0.1%, to: 10%, steps: 3, scale: log}
            rides.scale: {from: 0.5, to: 2, steps: 3, scale: linear}
            sender.connections: [1, 2, 4]
          zip: [[content.ttl, monitor.recovery_window]]
          where: [content.ttl < monitor.fresh_limit, monitor.retry != none]
          responses: [fresh_time_ratio, age_of_information_us.p95, "pushes_sent_count{kind:retry}"]
        """
        // A zipped factor, and a label without a comma.
        .replacing("    sender.connections: [1, 2, 4]\n", with: "    monitor.recovery_window: [1m, 2m, 3m, 4m]\n")
        .replacing("\"fixed, 5s\"", with: "fixed")

    private func read(_ yaml: String) throws -> Experiment {
        try ScenarioReader.read(yaml: yaml, named: "town.yaml").experiment
    }

    /// Returns the errors of a section as users see them.
    private func problems(_ section: String) -> [String] {
        ScenarioError.lines { try SmallSweep.sweep("name: town\nfactors:\n" + section) }
    }

    /// Sections, each followed by its errors; `#` begins a comment.
    private static func table(_ text: String) -> [(section: String, problems: [String])] {
        var rows: [(section: String, problems: [String])] = []
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            if !line.hasPrefix(" ") {
                rows[rows.count - 1].problems.append(line)
            } else if let last = rows.last, last.problems.isEmpty {
                rows[rows.count - 1].section += "\n" + line
            } else {
                rows.append((line, []))
            }
        }
        return rows
    }

    @Test("Every form is read; written and read again it is unchanged")
    func roundTrip() throws {
        let experiment = try read(Self.everyForm)
        let factors = try #require(experiment.factors)
        #expect(
            factors.vary.map(\.path) == [
                "monitor.fresh_limit", "monitor.retry", "content.ttl", "apns.loss", "rides.scale",
                "monitor.recovery_window",
            ]
        )
        #expect(factors.vary.map { $0.gridLevels.count } == [3, 2, 4, 3, 3, 4])
        #expect(factors.vary[1].gridLevels.map(\.label) == ["none", "fixed"])
        #expect(factors.groups.map(\.count) == [1, 1, 2, 1, 1])
        #expect(factors.conditions.map(\.text) == ["content.ttl < monitor.fresh_limit", "monitor.retry != none"])
        #expect(factors.responses.count == 3)

        let yaml = ScenarioWriter.resolvedYAML(experiment)
        #expect(try read(yaml) == experiment)
        #expect(ScenarioWriter.resolvedYAML(try read(yaml)) == yaml)
    }

    @Test("Settings apply to factors as to other keys")
    func settings() throws {
        let sweep = try SmallSweep.sweep(settings: [
            "factors.vary.content.ttl=[60s]", "factors.responses=[events_count]",
        ])
        #expect(sweep.points.count == 3)
        #expect(sweep.factors.responses.map(\.text) == ["events_count"])
    }

    @Test(
        "Errors are reported with their place and the allowed values",
        arguments: table(
            #"""
              vary: {}
            3:9: factors.vary must be a section of 1 … 50 factors, got 0; for example monitor.fresh_limit: [1m, 2m, 3m]
              vary: {monitor.fresh_limit: 5m}
            3:31: factors.vary.monitor.fresh_limit must be levels, got "5m"; allowed: [1m, 2m], {short: 1m, long: 2m} or {from: 1m, to: 5m, steps: 5}
              vary: {monitor.fresh_limit: [1m, 2m, 1m]}
            3:40: factors.vary.monitor.fresh_limit has the level "1m" twice
              vary: {monitor.fresh_limit: [1m, 60s]}
            3:36: factors.vary.monitor.fresh_limit has the level "60s", which equals "1m"
              vary: {apns.loss: [1%, 2%, 0.02]}
            3:30: factors.vary.apns.loss has the level "0.02", which equals "2%"
              vary: {monitor.fresh_limit: []}
            3:31: factors.vary.monitor.fresh_limit must hold 1 … 1000 levels, got 0
              vary:
                monitor.fresh_limit:
                  -
                  - 1m
            5:8: factors.vary.monitor.fresh_limit has a level without a value
            # A path that does not exist is told once, where it stands.
              vary: {monitor.fresh_limt: [1m, 2m]}
            3:10: monitor.fresh_limt is not a known key; did you mean "fresh_limit"?
              vary: {monitor..x: [1m, 2m]}
            3:10: factors.vary.monitor..x must be the path of a value of the scenario, such as monitor.fresh_limit
            # All design points share their seed.
              vary: {seed: [1, 2], checks: [1]}
            3:10: factors.vary.seed cannot be varied: all design points share it, or it is not part of the scenario
            3:24: factors.vary.checks cannot be varied: all design points share it, or it is not part of the scenario
            # A level that makes no scenario, where it stands.
              vary: {monitor.fresh_limit: [1m, -2m]}
            3:36: monitor.fresh_limit must be a duration, got "-2m", which is negative; allowed: 0s … 3650d, such as 250us 250ms 3s 2m 8h 1d 1h30m
              vary: {monitor.fresh_limit: {from: 5m, to: 1m, steps: 3}}
            3:31: factors.vary.monitor.fresh_limit must go up, got from 5m to 1m
              vary: {monitor.fresh_limit: {from: 1m, to: 5, steps: 3}}
            3:31: factors.vary.monitor.fresh_limit must have ends of the same kind, got 1m and 5
              vary: {monitor.fresh_limit: {from: 1m, to: 5m}}
            3:31: factors.vary.monitor.fresh_limit must state its number of steps in a grid: {from: …, to: …, steps: 5}
              vary: {monitor.fresh_limit: {from: nan, to: inf, steps: 3}}
            3:38: factors.vary.monitor.fresh_limit.from must be a number or a duration, got "nan"; allowed: values such as 5, 0.5, 5%, 90s
            3:47: factors.vary.monitor.fresh_limit.to must be a number or a duration, got "inf"; allowed: values such as 5, 0.5, 5%, 90s
              vary: {monitor.fresh_limit: {from: 1m, to: 5m, steps: 1000000000}}
            3:57: factors.vary.monitor.fresh_limit.steps must be a whole number, got "1000000000"; allowed: 1 … 10000
              vary: {rides.scale: {from: 0, to: 5, steps: 3, scale: log}}
            3:23: factors.vary.rides.scale must begin above 0 on a log scale, got 0
            # Beyond these, whole numbers would not be exact, and differences not finite.
              vary: {rides.scale: {from: 1, to: 99999999999999999999, steps: 3}}
            3:23: factors.vary.rides.scale must lie within ±1e15, got from 1 to 99999999999999999999
              vary: {rides.scale: {from: -1e308, to: 1e308, steps: 3}}
            3:23: factors.vary.rides.scale must lie within ±1e15, got from -1e308 to 1e308
              vary: {monitor.retry: {a: {max_attempts: 2}}, monitor.retry.max_attempts: [1, 2]}
            3:77: factors.vary.monitor.retry.max_attempts lies within the factor monitor.retry; vary one or the other
              vary: {monitor.fresh_limit: {"a,b": 1m}}
            3:32: factors.vary.monitor.fresh_limit has the level "a,b"; allowed names: up to 40 letters, digits, blanks and _ . + % -
            """#
        )
    )
    func levels(_ section: String, _ expected: [String]) {
        #expect(problems(section) == expected)
    }

    @Test(
        "Contradictions are reported, too",
        arguments: table(
            #"""
              zip: [[monitor.fresh_limit, content.ttl]]
            5:9: factors.zip.0 must name factors with the same number of levels, got 2, 3
              zip: [[monitor.fresh_limit, content.tll]]
            5:9: factors.zip.0 names "content.tll", which is not a factor; did you mean "content.ttl"?
              zip: [[monitor.fresh_limit, monitor.fresh_limit]]
            5:9: factors.zip.0 names monitor.fresh_limit a second time; a factor can be in one group only
              where: [fresh_limit > 1m]
            5:11: factors.where.0 names no value of the scenario; name a value by its path, such as monitor.fresh_limit
            # All that is wrong at once.
              where: [monitor.fresh_limt > 1m, monitor.fresh_limit > 3, content.ttl > short]
            5:11: factors.where.0 names monitor.fresh_limt, which does not exist; did you mean "monitor.fresh_limit"?
            5:36: factors.where.1 compares 1m with 3, but only one of them is a duration
            5:61: factors.where.2 compares 30s with short, but "short" is not a duration; allowed: forms such as 250us 250ms 3s 2m 8h 1d 1h30m
            5:61: factors.where.2 compares 40s with short, but "short" is not a duration; allowed: forms such as 250us 250ms 3s 2m 8h 1d 1h30m
              where: [content.ttl > 5m]
            3:3: factors leave no design point: no combination of levels meets every condition
              where: [content.ttl]
            5:11: factors.where.0 must be a condition, got "content.ttl"; allowed: PATH < <= > >= == != VALUE OR PATH, such as monitor.fresh_limit < content.ttl; several conditions are listed separately
              where: [content.ttl > 30s and content.ttl < 50s, content.ttl != shrt]
            5:11: factors.where.0 must be a condition, got "content.ttl > 30s and content.ttl < 50s"; allowed: PATH < <= > >= == != VALUE OR PATH, such as monitor.fresh_limit < content.ttl; several conditions are listed separately
              where: [content.ttl != shrt]
            5:11: factors.where.0 names "shrt", which is not a level of content.ttl; allowed: 30s, 40s, 50s
              points: 4
            5:11: factors.points must be left out for the design grid, got 4
              design: sobol
            3:3: factors.points must be at least 1 for the design sobol
              design: sobl
            5:11: factors.design must be a known name, got "sobl"; did you mean "sobol"?
              design: saltelli
              points: 3
              where: [content.ttl > 40s]
            7:10: factors.where must be left out for the design saltelli: its points are crossed, and the indices need all of them
              design: saltelli
              points: 20000
            3:3: factors must make at most 20000 design points, got 80000
              design: sobol
              points: 20001
            6:11: factors.points must be a whole number, got "20001"; allowed: 0 … 20000
              responses: [freshness]
            5:15: factors.responses.0 must name a metric, got "freshness"; `freshet metrics` lists all
            """#
        )
    )
    func rules(_ section: String, _ expected: [String]) {
        #expect(
            problems("  vary: {monitor.fresh_limit: [1m, 2m],\n    content.ttl: [30s, 40s, 50s]}\n" + section)
                .prefix(expected.count) == expected[...]
        )
    }

    @Test(
        "A level is selected only by its name or by its value, as in the file or as parsed",
        arguments: [
            (#"monitor.feedback: ["acceptance", "delivery"]"#, "monitor.feedback == acceptance", nil),
            ("content.refresh: {never: none, often: 60s}", "content.refresh != off", nil),
            ("content.refresh: {never: none, often: 60s}", "content.refresh != never", nil),
            ("monitor.retry.budget: [none, {capacity: 1, per_second: 1}]", "monitor.retry.budget != none", nil),
            ("monitor.retry.budget: [none, {capacity: 1, per_second: 1}]", "monitor.retry.budget == unlimited", nil),
            (
                "content.refresh: [{exponential: {mean: 60s}}, 90s]",
                "content.refresh == {exponential: {mean: 1m}}",
                nil
            ),
            (
                "content.refresh: {never: none, often: 60s}", "content.refresh != nevr",
                #"names "nevr", which is not a level of content.refresh; did you mean "never"?"#
            ),
            (
                "monitor.retry: {none: {max_attempts: 1}, quick: {max_attempts: 3}}", "rapid == monitor.retry",
                #"names "rapid", which is not a level of monitor.retry; allowed: none, quick"#
            ),
        ]
    )
    func levelsInConditions(_ factor: String, _ condition: String, _ message: String?) {
        let section = "  vary: {\(factor)}\n  where: ['\(condition)']"
        guard let message else {
            #expect(throws: Never.self) { try SmallSweep.sweep("name: town\nfactors:\n" + section) }
            return
        }
        #expect(problems(section) == ["4:11: factors.where.0 \(message)"])
    }

    @Test("A level of none is labelled by its meaning, in tables, files and descriptions")
    func absence() throws {
        let sweep = try SmallSweep.sweep(
            """
            name: town
            factors:
              vary:
                monitor.retry.budget: [none, {capacity: 1, per_second: 1}]
                monitor.retry.schedule: [none, [1m]]
                monitor.retry.jitter: [none, full]
              where: ["monitor.retry.budget == none"]
            """
        )
        let labels = sweep.points.map { $0.levels.map(\.label) }
        #expect(labels.map { $0[0] } == Array(repeating: "unlimited", count: 4))
        #expect(labels.map { $0[1] } == ["off", "off", "[1m]", "[1m]"])
        // This none has a meaning of its own.
        #expect(labels.map { $0[2] } == ["none", "full", "none", "full"])
        let text = "name: town\ndescription: A town.\n"
        let set = try ScenarioReader.read(yaml: text, named: "town.yaml", settings: ["monitor.retry.budget=none"])
        #expect(set.scenario.changesOfFile == "monitor.retry.budget=unlimited")
        let key = try #require(KeyDescription.named("monitor.retry.budget"))
        #expect(key.allowed == "a section, or unlimited" && key.meaning.contains("unlimited: only max_attempts limits"))
    }

    @Test("A huge grid is rejected before it is built")
    func hugeGrid() {
        let ranges = (0..<50).map { "    rides.stages.\($0).x: {from: 1, to: 10000, steps: 10000}" }
        #expect(
            problems("  vary:\n" + ranges.joined(separator: "\n"))
                == ["3:3: factors must make at most 20000 design points, got more than 10^15"]
        )
    }

    @Test("All errors in levels, names and responses are reported at once")
    func allAtOnce() {
        let section = """
              vary:
                content.ttl: [90s, abc]
                content.tl: [1, 2]
                monitor.fresh_limit: {from: 1s, to: 2m, steps: 2}
                apns.loss: [2, 0.1]
              zip: [[content.ttl, apns.expiration]]
              where: [monitor.fresh_limt > 2m]
              responses: [displayed_fresh_time_rati]
              goal: {maximise: displayed_fresh_time_ratioo, subject_to: [pushes_per_activityy <= 37, events_cont < 3]}
            """
        let wrong = [
            "4:24: content.ttl", "5:5: content.tl is not a known key", "7:17: apns.loss",
            "8:9: factors.zip.0 names", "9:11: factors.where.0 names monitor.fresh_limt, which",
            "10:15: factors.responses.0 must name", "11:20: factors.goal.maximise must name",
            "11:62: factors.goal.subject_to.0 must name", "11:90: factors.goal.subject_to.1 must name",
        ]
        let all = problems(section)
        #expect(all.count == wrong.count && zip(all, wrong).allSatisfy { $0.hasPrefix($1) }, "\(all)")
        // Errors only in levels and a condition give the same diagnostics. An unreadable part hides only its own
        // consequences.
        let lines = section.split(separator: "\n").filter { !$0.contains("zip") }
        let levels = problems(lines.prefix(6).joined(separator: "\n"))
        #expect(Set(levels) == Set(all[0...2] + [all[4].replacing("9:11:", with: "8:11:")]))
        let unread = problems(section + "\n  design: sobl")
        #expect(Set(all).subtracting(unread) == [all[3]] && unread.last?.contains("sobol") == true, "\(unread)")
    }

    @Test(
        "A value that is valid only with another factor's level is accepted",
        arguments: [
            // A list that both extend; a distribution with a part from each; points that a condition omits.
            """
              vary:
                faults.0: [{kind: content_down, at: 10m, duration: 1m}]
                faults.1: [{kind: content_down, at: 20m, duration: 1m}]
              where: [faults.1.at > faults.0.at]
            """,
            """
              vary:
                sender.request_time.lognormal.median: [100ms, 200ms]
                sender.request_time.lognormal.p95: [1s, 2s]
                "rides.[scale]": [1, 2]
            """,
            """
              vary:
                sender.request_time: [{lognormal: {median: 2s, p95: 9s}}]
                apns.latency: [{lognormal: {median: 2s, p95: 9s}}]
                content.ttl: [1m, 2m]
              where: [content.ttl > 1m]
            """,
        ]
    )
    func rightTogether(_ section: String) {
        #expect(throws: Never.self) { try SmallSweep.sweep("name: town\nfactors:\n" + section) }
        let line = section.split(separator: "\n").count + 3
        #expect(
            problems(section + "\n  responses: [freshness]").map { String($0.prefix(26)) } == [
                "\(line):15: factors.responses.0 "
            ]
        )
    }

    @Test("A level is checked at every path of its factor, also behind a bracketed key")
    func bracketedKeys() {
        let all = problems("  vary: {\"rides.[scale]\": [1, abc]}\n  responses: [freshness]")
        #expect(all.count == 2 && all[0].hasPrefix("3:31: rides.scale must"), "\(all)")
    }

    @Test("The consequences of an unreadable part are not reported")
    func unread() {
        let cities = """
              vary: {content.ttl: [1m, 2m], faults.0: [{kind: content_down, at: 1m, duration: abc}]}
              where: [faults.0.at < 2m]
              responses: ["pushes_sent_count{city:paris}"]
            rides: {arrivals: {cities: [{name: paris, share: 0.5}, x]}}
            """
        let all = problems(cities)
        #expect(all.count == 2 && all[0].contains("faults.0.duration must") && all[1].contains("cities.1"), "\(all)")
        let faults = """
              vary: {content.ttl: [1m, 2m]}
              where: [faults.0.at < 2m]
            faults: [{kind: content_down, at: 1m, duration: 1m}, 5]
            """
        #expect(problems(faults).map { String($0.prefix(14)) } == ["5:54: faults.1"])
    }

    @Test("A setting that a factor overrides is rejected, as are empty factors; both messages name the way out")
    func voidSetting() {
        let none = #expect(throws: ScenarioError.self) { try SmallSweep.sweep(settings: ["factors={}"]) }
        #expect(none?.description.hasSuffix("; --set factors=off runs a file without its factors") == true)
        for (path, value) in [("content.ttl", "1m"), ("content", "{}")] {
            let error = #expect(throws: ScenarioError.self) { try SmallSweep.sweep(settings: ["\(path)=\(value)"]) }
            #expect(error?.description.hasPrefix("--set \(path): \(path) is a factor: its levels are in ") == true)
            #expect(error?.description.hasSuffix("--set factors=off removes the factors") == true)
        }
    }
}
