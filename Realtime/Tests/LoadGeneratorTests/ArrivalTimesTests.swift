import Foundation
import LoadGenerator
import Quantities
import SimulationKernel
import Statistics
import Testing

struct ArrivalTimesTests {
    private static func arrivals(_ plan: RatePlan, _ process: ArrivalProcess, seed: UInt64 = 1) -> ArrivalTimes {
        ArrivalTimes(plan, process: process, random: RandomSource(seed: seed, replication: 0), purpose: 1)
    }

    private static func all(_ plan: RatePlan, _ process: ArrivalProcess, seed: UInt64 = 1) -> [Int64] {
        var arrivals = arrivals(plan, process, seed: seed)
        var times: [Int64] = []
        while let due = arrivals.next() { times.append(due) }
        return times
    }

    private static func rising() throws -> RatePlan {
        try RatePlan.ramp(from: 0, to: 4000, over: .seconds(5), for: .seconds(5))
    }

    @Test("even arrivals follow the plan")
    func even() throws {
        let plan = try Self.rising()
        #expect(Self.all(plan, .even) == (0..<plan.total).map { plan.due($0) })
    }

    @Test("equal seeds give equal instants, in order and within the plan; another seed gives others")
    func sameSeed() throws {
        let plan = try Self.rising()
        let times = Self.all(plan, .poisson)
        #expect(times == Self.all(plan, .poisson))
        #expect(times != Self.all(plan, .poisson, seed: 2))
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(times.allSatisfy { (0...5_000_000_000).contains($0) })
        // Known answers: if they change, the instants of every load change.
        #expect(Array(times.prefix(3)) == [63_565_784, 75_943_154, 93_467_714])
    }

    @Test("lanes together have the arrivals of one lane", arguments: ArrivalProcess.allCases, [2, 5])
    func lanes(process: ArrivalProcess, count: Int) throws {
        let plan = try Self.rising()
        var times: [Int64] = []
        for lane in 0..<count {
            var arrivals = Self.arrivals(plan, process)
            var due = arrivals.next(skipping: lane)
            while let at = due {
                times.append(at)
                due = arrivals.next(skipping: count - 1)
            }
            #expect(arrivals.next() == nil, "the end is the end")
        }
        #expect(times.sorted() == Self.all(plan, process))
    }

    @Test("over many seeds the number of arrivals has the mean and the variance of a Poisson distribution")
    func meanAndVariance() throws {
        let plan = try RatePlan(points: [
            .init(at: .zero, perSecond: 100), .init(at: .seconds(1), perSecond: 500),
            .init(at: .seconds(1), perSecond: 50), .init(at: .seconds(3), perSecond: 50),
        ])
        let expected = 400.0
        #expect(plan.expected == expected)
        let seeds = 400
        let counts = (0..<seeds).map { Double(Self.all(plan, .poisson, seed: UInt64($0)).count) }
        let mean = counts.reduce(0, +) / Double(seeds)
        // Four standard errors of the mean, and of the variance, whose relative standard error is sqrt(2 / n).
        #expect(abs(mean - expected) < 4 * (expected / Double(seeds)).squareRoot())
        let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(seeds - 1)
        #expect(abs(variance / expected - 1) < 4 * (2 / Double(seeds)).squareRoot())
    }

    @Test("gaps are exponential at a constant rate; at a rising rate they are exponential in the integral of the rate")
    func distribution() throws {
        let constant = try RatePlan.constant(perSecond: 1000, for: .seconds(10))
        let times = Self.all(constant, .poisson, seed: 3).map { Double($0) / 1e6 }
        let gaps = zip(times.dropFirst(), times).map { 1 - exp(-($0 - $1)) }
        #expect(KolmogorovSmirnov.pValue(uniform: gaps) > 0.001)
        // The integral of a rate that rises from zero grows with the square of the time.
        let squares = Self.all(try Self.rising(), .poisson, seed: 4).map { Double($0) / 5e9 }.map { $0 * $0 }
        #expect(KolmogorovSmirnov.pValue(uniform: squares) > 0.001)
        // Even arrivals must fail the test.
        let even = Self.all(constant, .even).map { Double($0) / 1e6 }
        #expect(KolmogorovSmirnov.pValue(uniform: zip(even.dropFirst(), even).map { 1 - exp(-($0 - $1)) }) < 1e-9)
    }

    @Test("a plan without arrivals has none")
    func nothing() throws {
        let plan = try RatePlan.constant(perSecond: 0, for: .seconds(1))
        #expect(Self.all(plan, .poisson).isEmpty)
        #expect(Self.all(plan, .even).isEmpty)
    }
}
