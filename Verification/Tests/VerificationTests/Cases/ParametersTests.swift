import Foundation
import ScenarioLanguage
import SimulationKernel
import Statistics
import Testing

@testable import Verification

@Suite("Parameters of cases")
struct ParametersTests {
    private func parameters(_ json: String) throws -> Parameters {
        try Case.read(Case.json("", "", "", json)).parameters
    }

    @Test(
        "Numbers are written as numbers, texts and fractions",
        arguments: [
            ("0.3", 0.3), (#""0.3""#, 0.3), (#""3/10""#, 0.3), ("7", 7), (#""1e2""#, 100), (#""1/3""#, 1.0 / 3),
        ] as [(String, Double)]
    )
    func numbers(text: String, number: Double) throws {
        var parameters = try parameters("{\"x\": \(text)}")
        let read = parameters.number("x", in: 0...1000)
        #expect(read == number)
        #expect(parameters.problems.isEmpty && parameters.unread.isEmpty)
    }

    @Test(
        "A value that is not a number in the range is an error, and reading continues",
        arguments: [
            "-1", "11", "[1]", "{}", "null", #""1/0""#, #""1/2/3""#, #""/2""#, #""""#, "nan", ".inf", #""0x10""#,
            "true",
        ]
    )
    func hostileNumbers(text: String) throws {
        var parameters = try parameters("{\"x\": \(text), \"n\": \(text), \"list\": [\(text)]}")
        let read = (
            parameters.number("x", in: 2...10), parameters.whole("n", in: 3...10),
            parameters.numbers("list", in: 4...10, count: 1...1)
        )
        #expect(read == (2, 3, [4]))
        #expect(parameters.problems.count == 3)
        #expect(parameters.problems.allSatisfy { $0.message.contains("must be a number") })
    }

    @Test("Missing parameters, and parameters that were not read")
    func missing() throws {
        var parameters = try parameters(#"{"a": 1, "b": 2, "c": null}"#)
        let missing = parameters.positive("x")
        #expect(missing == 1e-9)
        #expect(parameters.problems.map(\.message) == ["the parameter x is missing"])
        _ = parameters.positive("b")
        let optional = (
            parameters.numberOrNothing("c"), parameters.numberOrNothing("d"), parameters.flag("e", default: true)
        )
        #expect(optional == (nil, nil, true))
        #expect(parameters.problems.count == 1)
        #expect(parameters.unread == ["a"])
    }

    @Test("Lists of the wrong length, fractions instead of a whole number, invalid flags")
    func shapes() throws {
        var parameters = try parameters(#"{"list": [1, 2], "n": 2.5, "flag": "maybe", "lists": 3}"#)
        let read = (
            parameters.positives("list", count: 3...4), parameters.whole("n", in: 1...9),
            parameters.flag("flag", default: true), parameters.list("lists").count
        )
        #expect(read == ([], 1, true, 0))
        #expect(
            parameters.problems.map(\.message) == [
                "list must be a list of 3 … 4 numbers, got a list", "n must be a whole number",
                "flag must be true or false, got \"maybe\"", "lists must be a list, got \"3\"",
            ]
        )
    }

    @Test(
        "Distributions in units of a clock",
        arguments: [
            (#"{"dist": "const", "value": "2"}"#, .constant(20)),
            (#"{"dist": "exp", "rate": 4}"#, .exponential(mean: 2.5)),
            (#"{"dist": "exp", "mean": 4}"#, .exponential(mean: 40)),
            (#"{"dist": "gamma", "shape": 2, "scale": 3}"#, .gamma(shape: 2, scale: 30)),
            (#"{"dist": "erlang", "k": 4, "mean": 2}"#, .gamma(shape: 4, scale: 5)),
            (#"{"dist": "lognormal", "mu": 0, "sigma": 1}"#, .lognormalOfLog(mu: log(1e-5), sigma: 1, unit: 1e6)),
            (#"{"dist": "weibull", "shape": 2, "scale": 3}"#, .weibull(shape: 2, scale: 30)),
            (#"{"dist": "uniform", "low": 1, "high": "3/2"}"#, .uniform(low: 10, high: 15)),
            (#"{"dist": "shift_exp", "shift": 1, "mean": 2}"#, .shifted(by: 10, .exponential(mean: 20))),
            (#"{"dist": "mix2", "w": 1, "a": 5, "b": 7}"#, .constant(50)),
            (#"{"dist": "mix2", "w": 0, "a": 5, "b": 7}"#, .constant(70)),
        ] as [(String, Distribution)]
    )
    func distributions(text: String, distribution: Distribution) throws {
        var parameters = try parameters("{\"d\": \(text)}")
        let read = parameters.distribution("d", unit: 10)
        #expect(read == distribution)
        #expect(parameters.problems.isEmpty)
    }

    @Test("A mixture keeps its weights")
    func mixture() throws {
        var parameters = try parameters(#"{"d": {"dist": "mix2", "w": 0.25, "a": 4, "b": 8}}"#)
        let read = parameters.distribution("d", unit: 1)
        #expect(read.mean == 7)
    }

    @Test(
        "An unknown distribution",
        arguments: [
            (#""exp""#, ["d must be a distribution as {dist: exp, rate: 1}, got \"exp\""]),
            (#"{"dist": "cauchy"}"#, ["d: dist \"cauchy\" is no distribution that is known here"]),
            (#"{"dist": "exp"}"#, ["d: the parameter mean is missing"]),
            (#"{"dist": "exp", "rate": 1, "shift": 2}"#, ["d has no parameter \"shift\" that is known here"]),
            ("{}", ["d: the parameter dist is missing", "d: dist \"\" is no distribution that is known here"]),
        ]
    )
    func hostileDistributions(text: String, messages: [String]) throws {
        var parameters = try parameters("{\"d\": \(text)}")
        _ = parameters.distribution("d", unit: 1)
        #expect(parameters.problems.map(\.message) == messages)
    }
}
