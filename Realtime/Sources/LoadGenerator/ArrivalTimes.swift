package import SimulationKernel
internal import Statistics

/// The process that spreads arrivals over the time of a plan.
package enum ArrivalProcess: String, CaseIterable, Sendable {
    /// Arrivals at the instants of ``RatePlan/due(_:)``, which are evenly spaced at a constant rate.
    case even
    /// A Poisson process with the plan's rate, as many independent users make it.
    case poisson
}

/// The instants at which open-loop load is due, in order.
///
/// Even arrivals never bunch, so they never meet a queue that an earlier bunch has left, and a server seems better with them
/// than with real users. Poisson arrivals do bunch. They are made by inversion: a process of rate one, with exponential gaps,
/// is mapped by the inverse of the integral of the plan's rate (E. Çinlar, "Introduction to Stochastic Processes", 1975,
/// chapter 4.7). Each gap is a draw keyed by the arrival's number, and gaps are added up as integers, so the same seed gives
/// the same instants in every run, on every machine and with any number of lanes.
///
/// The number of Poisson arrivals is random, too, with ``RatePlan/expected`` as mean and variance.
///
/// The arrivals of a replay are due when the log had them, divided by its speed.
package struct ArrivalTimes: IteratorProtocol, Sendable {
    private let plan: RatePlan
    private let gaps: Gaps?
    /// The pushes of a log, whose due times replace those of the plan; nil without a replay.
    private var log: ReplayCursor?
    /// The number of the next arrival.
    private var number = 0
    /// The time of the process of rate one, in units of 1/``Gaps/unit``.
    private var reached: UInt64 = 0

    /// The gaps of a Poisson process of rate one.
    private struct Gaps: Sendable {
        /// The mean gap in units: it has nine digits, and the sum of eight billion gaps still fits 64 bits.
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

    /// The arrivals of a plan; a gap is drawn for a purpose by the number of each arrival.
    package init(_ plan: RatePlan, process: ArrivalProcess, random: RandomSource, purpose: UInt16) {
        self.plan = plan
        gaps = process == .poisson ? Gaps(random, purpose: purpose) : nil
    }

    /// The arrivals of a replay.
    package init(_ replay: PushReplay) {
        (plan, gaps, log) = (replay.plan, nil, ReplayCursor(replay))
    }

    /// Returns the due time of the next arrival [ns since the beginning of the plan]; nil after the last.
    package mutating func next() -> Int64? { next(skipping: 0) }

    /// Skips some arrivals and returns the due time of the next [ns since the beginning of the plan]; nil after the last.
    ///
    /// - Parameter count: The number of arrivals to skip.
    /// - Complexity: O(log points of the plan), of a Poisson process O(`count` + points), of a replay O(1).
    package mutating func next(skipping count: Int) -> Int64? {
        guard let gaps else {
            number += count
            defer { number += 1 }
            if let push = log?.push(number) { return log?.replay.due(push) }
            return log == nil && number < plan.total ? plan.due(number) : nil
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
