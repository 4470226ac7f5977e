import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Settings beside the file")
struct SettingTests {
    private static let deep = Array(repeating: "a", count: 65).joined(separator: ".") + "=1"
    private static let yaml = """
        clock: {duration: 2h}
        content: {refresh: none}
        apns: {latency: {quantiles: {p50: 1s, p99.9: 2s}}}
        rides: {stages: [{name: ride, duration: 10m}]}
        """

    @Test("Settings replace, add and modify list elements; later ones win")
    func settings() throws {
        let settings = [
            "clock.duration=3h", "clock.duration=4h", "content.refresh.exponential.mean=30s",
            "apns.latency.quantiles.p99.9=5s", "rides.stages.0.name=trip", "rides.stages.1={name: late, duration: 1m}",
            "faults.0.kind=content_down", "faults.0.at=1h", "faults.0.duration=1m", "monitor.scan_interval=15s",
        ]
        var expected = Scenario()
        expected.clock.duration = .hours(4)
        expected.content.refresh = .exponential(mean: 30e6)
        expected.apns.latency = .quantiles([
            QuantilePoint(probability: 0.5, value: 1e6), QuantilePoint(probability: 0.999, value: 5e6),
        ])
        expected.rides.stages = [
            Scenario.Stage(name: "trip", duration: .constant(600e6)),
            Scenario.Stage(name: "late", duration: .constant(60e6)),
        ]
        expected.faults = [Scenario.Fault(kind: .contentDown, at: .hours(1), duration: .minutes(1))]
        expected.monitor.scanInterval = .seconds(15)
        #expect(try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml", settings: settings).scenario == expected)
    }

    /// A level that is parsed without the YAML parser must have the value that YAML gives it.
    @Test(
        "A plain value is parsed as in YAML",
        arguments: [
            "1", "0.5", "3m", "9.5%", "null", "true", "off", "1e3", "0x10", "2026", "a.b.c", "100%", "1.", "Infinity",
        ]
    )
    func plain(text: String) throws {
        let value = try Setting("a=\(text)", index: 0).value
        let (root, errors) = YAMLText(text).compose()
        #expect(errors.isEmpty && root?.scalar == value.scalar)
        #expect(value.isNothing == root?.isNothing)
    }

    @Test(
        "Errors in a setting are reported with its key",
        arguments: [
            ("x", "--set x: a setting must be of the form key.path=value"),
            ("=3", "--set =3: a setting must be of the form key.path=value"),
            ("a..b=3", "--set a..b: a setting must be of the form key.path=value"),
            (deep, "--set \(deep.dropLast(2)): the key has 65 parts; allowed: 64"),
            ("name=", "--set name: a setting must have a value after the equals sign"),
            ("name=[", "--set name: syntax error: did not find expected node content"),
            ("name=*x", "--set name: aliases (*) are not allowed: write the values out"),
            ("cells=0", "--set cells: cells must be a whole number, got \"0\"; allowed: 1 … 4096"),
            ("clok.duration=1h", "--set clok.duration: clok is not a known key; did you mean \"clock\"?"),
            ("clock.duration.x=1", "--set clock.duration.x: clock.duration is the value \"2h\" and has no key \"x\""),
            (
                "rides.stages.7.name=a",
                "--set rides.stages.7.name: rides.stages is a list of length 1, got the index \"7\""
            ),
            (
                "rides.stages.x.name=a",
                "--set rides.stages.x.name: rides.stages is a list of length 1, got the index \"x\""
            ),
            (
                "clock.warm_up=2h",
                "--set clock.warm_up: clock.warm_up must be below clock.duration (2h), got 2h; clock.duration is at a.yaml:1:19"
            ),
        ]
    )
    func errors(setting: String, message: String) {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml", settings: [setting])
        }
        #expect(error?.description == message)
    }

    @Test("Errors in the file precede those of settings")
    func order() {
        let diagnostics = ScenarioError.diagnostics {
            try ScenarioReader.read(yaml: "seed: x\ncells: 0\n", named: "a.yaml", settings: ["name=a/b", "seed=y"])
        }
        #expect(diagnostics.map(\.file) == ["a.yaml", "--set name", "--set seed"])
        #expect(diagnostics.map(\.path) == ["cells", "name", "seed"])
    }
}
