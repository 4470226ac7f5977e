package import SimulationKernel
internal import Statistics

/// How arrivals are spread over the time that a plan gives them.
package enum ArrivalProcess: String, CaseIterable, Sendable {
    /// One after the other as ``RatePlan/due(_:)`` says, at a constant rate at equal distances.
    case even
    /// By chance and independently of each other, as many users ask who know nothing of each other: a Poisson process whose
    /// rate is the plan's.
    case poisson
}

/// The instants at which open-loop load is due, in order.
///
/// Even arrivals never come in bunches, and so never find a queue that a bunch before them has left; a server looks better
/// under them than under its users. Those of a Poisson process do. They are made by inversion: a process of rate one, whose
/// gaps are exponential, is carried through the inverse of the integral of the plan's rate (E. Çinlar, "Introduction to
/// Stochastic Processes", 1975, chapter 4.7). Each gap is a draw keyed by the arrival's number, and gaps are added up as
/// integers: the same seed gives the same instants in every run, on every machine, on however many lanes.
///
/// The number of arrivals is then random, too, with ``RatePlan/expected`` as mean and variance.
package struct ArrivalTimes: IteratorProtocol, Sendable {
    private let plan: RatePlan
    private let gaps: Gaps?
    /// How many arrivals have been before.
    private var number = 0
    /// Where the process of rate one stands, in units of 1/``Gaps/unit``.
    private var reached: UInt64 = 0

    /// The gaps of a Poisson process of rate one.
    private struct Gaps: Sendable {
        /// How many units the mean gap has: nine digits, and the sum of eight billion gaps still fits 64 bits.
        static let unit = 0x1p30
        let sampler: Sampler
        let random: RandomSource
        let purpose: UInt16

        init(_ random: RandomSource, purpose: UInt16) {
            guard let sampler = try? Distribution.exponential(mean: Gaps.unit).compiled() else {
                preconditionFailure("an exponential distribution with a mean above 0 can be sampled")
            }
            self.sampler = sampler
            self.random = random
            self.purpose = purpose
        }

        /// The gap before an arrival.
        func gap(before number: Int) -> UInt64 {
            UInt64(max(0, sampler.value(for: random.draw(entity: UInt64(number), purpose: purpose, index: 0))))
        }
    }

    /// The arrivals of a plan; gaps are drawn for a purpose, one for each arrival's number.
    package init(_ plan: RatePlan, process: ArrivalProcess, random: RandomSource, purpose: UInt16) {
        self.plan = plan
        gaps = process == .poisson ? Gaps(random, purpose: purpose) : nil
    }

    /// When the next arrival is due [ns since the beginning of the plan]; nil when there is none any more.
    package mutating func next() -> Int64? { next(skipping: 0) }

    /// When the arrival after some others is due [ns since the beginning of the plan]; nil when there is none any more.
    ///
    /// - Parameter count: How many arrivals are left out before it.
    /// - Complexity: O(points of the plan), of a Poisson process O(`count` + points).
    package mutating func next(skipping count: Int) -> Int64? {
        guard let gaps else {
            number += count
            guard number < plan.total else { return nil }
            defer { number += 1 }
            return plan.due(number)
        }
        for _ in 0...count {
            guard isWithinPlan else { return nil }
            reached += gaps.gap(before: number)
            number += 1
        }
        return isWithinPlan ? plan.instant(reaching: Double(reached) / Gaps.unit) : nil
    }

    private var isWithinPlan: Bool { Double(reached) / Gaps.unit < plan.expected }
}
