import Experiments

/// A law that runs must obey, where no single number is right or wrong.
enum Property: String, CaseIterable, Sendable {
    /// Intervals hold the true value as often as they say.
    case intervalCoverage = "ci_coverage"
    /// Half-widths shrink with the root of the effort.
    case rootN = "root_n"
    /// A seed is a history, whatever the number of threads.
    case sameSeed = "same_seed"
    /// What one ride draws changes nothing about another.
    case streamIsolation = "stream_isolation"
    /// Nothing is lost and nothing appears from nowhere.
    case conservation = "conservation"
    /// The number in a system, integrated over time, is the sum of the times spent in it.
    case little = "little"
    /// More loss with the same luck never delivers more.
    case monotoneLoss = "crn_monotone"
    /// Poisson arrivals see time averages.
    case pasta = "pasta"
    /// Where only the mean of a time counts, only its mean counts.
    case insensitivity = "insensitivity"
    /// Draws have the distribution that they are of.
    case distributions = "distribution_tests"
    /// A search for the best design point finds it as often as it says.
    case correctSelection = "correct_selection"

    /// Runs what it takes and says whether the law holds.
    func judgement(of known: Case, jobs: Int) async throws -> Judgement {
        let outcome = try await outcome(jobs: jobs)
        return Judgement(id: known.id, verdict: outcome.holds ? .pass : .fail, remark: outcome.remark)
    }

    private func outcome(jobs: Int) async throws -> PropertyOutcome {
        switch self {
        case .intervalCoverage: try await IntervalCoverage().outcome(jobs: jobs)
        case .rootN: try await RootN().outcome(jobs: jobs)
        case .sameSeed: try await SameSeed().outcome()
        case .streamIsolation: try await StreamIsolation().outcome(jobs: jobs)
        case .conservation: try await ConservationLaws().outcome(jobs: jobs)
        case .little: try await LittlesLaw().outcome(jobs: jobs)
        case .monotoneLoss: try await MonotoneLoss().outcome(jobs: jobs)
        case .pasta: try await PoissonArrivals().outcome(jobs: jobs)
        case .insensitivity: try await Insensitivity().outcome(jobs: jobs)
        case .distributions: try await DistributionTests().outcome(jobs: jobs)
        case .correctSelection: try await CorrectSelection().outcome(jobs: jobs)
        }
    }
}

/// Whether a law holds, and what was found, in numbers.
struct PropertyOutcome: Hashable, Sendable {
    var holds: Bool
    var remark: String

    init(holds: Bool, remark: String) {
        self.holds = holds
        self.remark = remark
    }

    /// A law that holds unless something violates it; the first violation is told.
    init(violations: [String], of remark: String) {
        holds = violations.isEmpty
        self.remark = violations.first.map { "\($0) (\(violations.count) in \(remark))" } ?? remark
    }

    /// Several outcomes as one.
    init(_ parts: [PropertyOutcome]) {
        holds = parts.allSatisfy(\.holds)
        remark = parts.map(\.remark).joined(separator: "; ")
    }
}

extension Double {
    /// Rounded to decimals, for remarks.
    func rounded(places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
