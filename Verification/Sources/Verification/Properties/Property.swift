/// A law that runs must obey, for which no single number is right or wrong.
struct Property: Sendable {
    /// Its name in files of cases.
    let name: String
    /// Performs the runs and decides whether the law holds.
    private let outcome: @Sendable (_ jobs: Int) async throws -> PropertyOutcome

    private init(_ name: String, _ outcome: @escaping @Sendable (_ jobs: Int) async throws -> PropertyOutcome) {
        self.name = name
        self.outcome = outcome
    }

    /// Every law.
    static let all = [
        Property("ci_coverage") { try await IntervalCoverage().outcome(jobs: $0) },
        Property("root_n") { try await RootN().outcome(jobs: $0) },
        Property("same_seed") { _ in try await SameSeed().outcome() },
        Property("stream_isolation") { try await StreamIsolation().outcome(jobs: $0) },
        Property("conservation") { try await ConservationLaws().outcome(jobs: $0) },
        Property("little") { try await LittlesLaw().outcome(jobs: $0) },
        Property("crn_monotone") { try await MonotoneLoss().outcome(jobs: $0) },
        Property("pasta") { try await PoissonArrivals().outcome(jobs: $0) },
        Property("insensitivity") { try await Insensitivity().outcome(jobs: $0) },
        Property("distribution_tests") { try await DistributionTests().outcome(jobs: $0) },
        Property("correct_selection") { try await CorrectSelection().outcome(jobs: $0) },
    ]

    /// Decides whether the law of a case holds.
    func judgement(of known: Case, jobs: Int) async throws -> Judgement {
        let outcome = try await outcome(jobs)
        return Judgement(id: known.id, verdict: outcome.holds ? .pass : .fail, remark: outcome.remark)
    }
}

/// The verdict on a law, with the findings in numbers.
struct PropertyOutcome: Hashable, Sendable {
    var holds: Bool
    var remark: String
}

extension PropertyOutcome {
    /// Creates the outcome of a law that holds unless it is violated; the first violation is reported.
    init(violations: [String], of remark: String) {
        holds = violations.isEmpty
        self.remark = violations.first.map { "\($0) (\(violations.count) in \(remark))" } ?? remark
    }

    /// Combines several outcomes.
    init(_ parts: [PropertyOutcome]) {
        holds = parts.allSatisfy(\.holds)
        remark = parts.map(\.remark).joined(separator: "; ")
    }
}

extension Double {
    /// Rounds to a number of decimals, for remarks.
    func rounded(places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
