import Evaluation
import LiveActivityModel
import SimulationKernel
import Studies
import Testing

@testable import Results

@Suite("Comparison of a live run with its simulation")
struct RealTimeComparisonTests {
    @Test(
        "A close value agrees; a distant one is undecided while its interval overlaps the allowed range",
        arguments: [
            (100, 104, -20...30, .agrees), (100, 106, 2...10, .open), (100, 106, 5.5...6.5, .differs),
            (100, 94, -10 ... -2, .open), (100, 94, nil, .differs), (100, nil, nil, .differs), (nil, nil, nil, .agrees),
        ] as [(Double?, Double?, ClosedRange<Double>?, MetricComparison.Agreement)]
    )
    func verdicts(
        simulated: Double?,
        live: Double?,
        interval: ClosedRange<Double>?,
        verdict: MetricComparison.Agreement
    ) {
        let metric = MetricComparison(
            response: "age_of_information_us",
            unit: "us",
            isShare: false,
            direction: .neutral,
            first: simulated,
            second: live,
            interval: interval,
            counts: .pairs(2),
            tolerance: .relative(0.05)
        )
        #expect(metric.agreement == verdict)
    }

    @Test("Without a requirement there is no verdict")
    func withoutTolerance() {
        let metric = MetricComparison(
            response: "pushes_sent_count",
            unit: "1",
            isShare: false,
            direction: .neutral,
            first: 1,
            second: 1000,
            counts: .pairs(2)
        )
        #expect(metric.agreement == nil)
    }

    @Test("Values on cards are compared where they are modelled; an external monitor's pushes have no photo")
    func cards() async throws {
        var scenario = Scenario()
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 2
        scenario.content.eta = Scenario.ETA()
        scenario.content.payload.bytes = .constant(1000)
        scenario.content.payload.photoStage = scenario.rides.stages[0].name
        scenario.devices.pictures = Scenario.Pictures()
        let run = try await RunResult.running(scenario, replications: 1)
        func compared(_ part: ResultComparison.Part) -> ResultComparison {
            ResultComparison(simulated: run, live: run, of: part)
        }
        let everything = compared(.everything)
        #expect(everything.metrics.map(\.response).suffix(2) == ["eta_error_us", "ride_photo_missing_time_ratio"])
        #expect(everything.notes.isEmpty)
        let screens = compared(.screens)
        #expect(screens.metrics.map(\.response).last == "eta_error_us")
        #expect(
            screens.notes == ["The driver's photo is not compared: an external monitor's pushes carry no photos."]
        )
    }

    @Test("With groups, the pushes of a content and its way to the last phone are compared")
    func groups() async throws {
        var scenario = Scenario()
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 1
        var groups = Scenario.Groups()
        groups.by = .channel
        scenario.groups = groups
        let run = try await RunResult.running(scenario, replications: 1)
        let names = [
            "pushes_sent_count", "pushes_sent_on_count", "pushes_per_group_content", "group_fan_out_us",
            "group_last_phone_us",
        ]
        #expect(ResultComparison(simulated: run, live: run).metrics.map(\.response).suffix(5) == names[...])
        #expect(
            ResultComparison(simulated: run, live: run, of: .screens).metrics
                .allSatisfy { !names.contains($0.response) }
        )
    }
}
