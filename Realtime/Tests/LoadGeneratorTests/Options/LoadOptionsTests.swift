import ArgumentParser
import CommandTestSupport
import FreshnessCore
import LoadGenerator
import Quantities
import Testing

@Suite("Options of loads")
struct LoadOptionsTests {
    @Test(
        arguments: [
            ("20000/s", 20_000), ("20000", 20_000), ("0.5/s", 0.5), ("30/m", 0.5), ("90/h", 0.025),
            ("1000000000/s", 1e9),
        ] as [(String, Double)]
    )
    func rates(text: String, rate: Double) throws {
        #expect(try LoadOptions.rate(text, named: "--rate") == rate)
    }

    @Test(arguments: ["0/s", "-1/s", "1000000001/s", "5%", "10s", "many", "", "/s"])
    func ratesThatAreNone(text: String) throws {
        #expect(
            try Parsing.refusal { try LoadOptions.rate(text, named: "--rate") }
                == "--rate must be a rate above 0/s and at most 1000000000/s, such as 200/s, 30/m or 90/h, got \(text)"
        )
    }

    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("1m30s", .seconds(90)), ("0", .zero), ("0s", .zero),
        ] as [(String, TimeSpan)]
    )
    func spans(text: String, span: TimeSpan) throws {
        #expect(try LoadOptions.span(text, named: "--duration") == span)
    }

    @Test(arguments: ["30", "-1s", "5%", "soon", ""])
    func spansThatAreNone(text: String) throws {
        #expect(
            try Parsing.refusal { try LoadOptions.span(text, named: "--duration") }
                == "--duration must be a duration such as 250ms, 30s or 1m30s, got \(text)"
        )
    }

    @Test("The bounds of a duration are inclusive")
    func spansWithinBounds() throws {
        func read(_ text: String) throws -> TimeSpan {
            try LoadOptions.span(text, named: "--duration", in: .milliseconds(1) ... .hours(24))
        }
        #expect(try read("1ms") == .milliseconds(1))
        #expect(try read("24h") == .hours(24))
        #expect(try Parsing.refusal { try read("0") } == "--duration must be within 1ms...1d, got 0")
        #expect(try Parsing.refusal { try read("25h") } == "--duration must be within 1ms...1d, got 25h")
        #expect(try LoadOptions.life(nil) == nil)
        #expect(try LoadOptions.life("90s") == .seconds(90))
        #expect(
            try Parsing.refusal { try LoadOptions.life("0s") }?.hasPrefix("--lifetime must be within 1ms...") == true
        )
    }

    @Test func speedsAndTopics() throws {
        #expect(try Parsing.refusal { try LoadOptions.check(speed: 0.001, most: 10) } == nil)
        #expect(
            try Parsing.refusal { try LoadOptions.check(speed: 11, most: 10) }
                == "--speed must be within 0.001...10, got 11.0"
        )
        #expect(
            try Parsing.refusal { try LoadOptions.check(speed: .nan, most: 10) }
                == "--speed must be within 0.001...10, got nan"
        )
        #expect(try Parsing.refusal { try LoadOptions.check(topic: "a.b.push-type.liveactivity") } == nil)
        for topic in ["", "a b", "a\n", "ä", String(repeating: "a", count: 256)] {
            #expect(
                try Parsing.refusal { try LoadOptions.check(topic: topic) }
                    == "--topic must be 1 to 255 visible characters of ASCII, got \(topic.debugDescription)"
            )
        }
    }

    @Test func profiles() throws {
        #expect(
            try LoadOptions.profile("0s 1000/s, 30s 20000/s,1m 0.5", named: "--profile") == [
                RatePlan.Point(at: .zero, perSecond: 1000), RatePlan.Point(at: .seconds(30), perSecond: 20_000),
                RatePlan.Point(at: .minutes(1), perSecond: 0.5),
            ]
        )
        #expect(
            try Parsing.refusal { try LoadOptions.profile("0s 1000/s, 30s", named: "--profile") }
                == "--profile must be instants with rates, such as '0s 1000/s, 30s 20000/s', got 0s 1000/s, 30s"
        )
        #expect(
            try Parsing.refusal { try LoadOptions.profile("soon 1000/s", named: "--profile") }
                == "--profile must be a duration such as 250ms, 30s or 1m30s, got soon"
        )
        #expect(
            try Parsing.refusal { try LoadOptions.profile("0s 0/s", named: "--profile") }
                == "--profile must be a rate above 0/s and at most 1000000000/s, such as 200/s, 30/m or 90/h, got 0/s"
        )
    }

    @Test func ramps() throws {
        let ramp = try LoadOptions.ramp("10s:100/s..2000/s", named: "--ramp")
        #expect(ramp.over == .seconds(10))
        #expect([ramp.from, ramp.to] == [100, 2000])
        let fractions = try LoadOptions.ramp("10s:0.5/s..1.5/s", named: "--ramp")
        #expect([fractions.from, fractions.to] == [0.5, 1.5])
        for text in ["10s", "10s:100/s", "100/s..2000/s", "100/s..2000/s:10s"] {
            #expect(
                try Parsing.refusal { try LoadOptions.ramp(text, named: "--ramp") }
                    == "--ramp must be a rise such as 10s:1000/s..20000/s, got \(text)"
            )
        }
        #expect(
            try Parsing.refusal { try LoadOptions.ramp("10s:100/s..", named: "--ramp") }
                == "--ramp must be a rate above 0/s and at most 1000000000/s, such as 200/s, 30/m or 90/h, got "
        )
    }

    @Test func retryBudgets() throws {
        // Missing values are those of a scenario.
        #expect(
            try LoadOptions.retryBudget("capacity=100", named: "--retry-budget")
                == RetryBudget(
                    capacityThousandths: 100_000,
                    thousandthsPerSecond: 10_000,
                    thousandthsPerPush: 0,
                    reserveThousandths: 0
                )
        )
        #expect(
            try LoadOptions.retryBudget("per_push=0.1, capacity=7, per_second=0.25,reserve=2", named: "--retry-budget")
                == RetryBudget(
                    capacityThousandths: 7000,
                    thousandthsPerSecond: 250,
                    thousandthsPerPush: 100,
                    reserveThousandths: 2000
                )
        )
        for text in ["", "capacity=1,capacity=2", "size=1", "capacity=1,"] {
            #expect(
                try Parsing.refusal { try LoadOptions.retryBudget(text, named: "--retry-budget") }
                    == "--retry-budget must be of capacity, per_second, per_push and reserve, each at most once, for example "
                    + "per_push=0.1,capacity=100; got \(text)"
            )
        }
        for (text, said) in [
            ("per_push", "per_push must be a number within 0...1000"),
            ("per_push=1001", "per_push must be a number within 0...1000"),
            ("capacity=0.5", "capacity must be a number within 1...1000000000"),
            ("per_second=-1", "per_second must be a number within 0...1000000"),
            ("reserve=10%", "reserve must be a number within 0...1000000000"),
        ] {
            #expect(
                try Parsing.refusal { try LoadOptions.retryBudget(text, named: "--retry-budget") }
                    == "--retry-budget: \(said), got \(text)"
            )
        }
    }
}
