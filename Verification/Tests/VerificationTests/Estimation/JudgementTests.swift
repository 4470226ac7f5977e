import Testing

@testable import Verification

@Suite("Judgements on estimates")
struct JudgementTests {
    /// Twenty seeds around ten, half of them above and half below, with sixteen replications each.
    ///
    /// - Parameters:
    ///   - between: The deviation of the seeds.
    ///   - within: The standard error of each seed.
    private func seeds(between: Double, within: Double) -> SeedEstimates {
        var estimates = SeedEstimates(seeds: 20)
        for seed in 0..<20 {
            for replication in 0..<16 {
                let error = within * 15.0.squareRoot() * (replication.isMultiple(of: 2) ? 1 : -1)
                estimates.add((10 + between * (seed.isMultiple(of: 2) ? 1 : -1) + error, 1), seed: seed)
            }
        }
        return estimates
    }

    private func judgement(
        _ estimates: SeedEstimates,
        exact: Double = 10,
        tolerance: String = #"{"kind": "mc"}"#,
        seeds: Int = 20
    ) throws -> Judgement {
        let known = try Case.read(Case.json("", "", exact: "\(exact)", tolerance: tolerance))
        return Judgement(of: known, estimates, seeds: seeds, isDeterministic: false)
    }

    @Test("An estimate within its error passes")
    func passes() throws {
        let judgement = try judgement(seeds(between: 0.01, within: 0.01))
        #expect(judgement.verdict == .pass, "\(judgement.remark)")
        #expect(judgement.exact == 10)
        #expect(abs(try #require(judgement.estimate) - 10) < 1e-12)
        #expect(judgement.seeds == 20)
    }

    @Test("Every complaint")
    func complaints() throws {
        func remark(_ judgement: Judgement) -> String {
            #expect(judgement.verdict == .fail)
            return judgement.remark
        }
        #expect(remark(try judgement(seeds(between: 0.01, within: 0.025), exact: 10.02)) == "too far off")
        #expect(remark(try judgement(seeds(between: 0.01, within: 0.025))) == "the seeds agree too well")
        #expect(remark(try judgement(seeds(between: 0.01, within: 0.0025))) == "the seeds differ too much")
        #expect(
            remark(
                try judgement(
                    seeds(between: 0.01, within: 0.01),
                    tolerance: #"{"kind": "mc", "max_rel_half_width": 1e-4}"#
                )
            )
                == "the interval is too wide"
        )
        #expect(
            remark(try judgement(seeds(between: 0.01, within: 0.01), tolerance: #"{"kind": "mc", "min_seeds": 21}"#))
                == "20 seeds are fewer than 21"
        )
        #expect(
            remark(try judgement(seeds(between: 0, within: 0), exact: 11))
                == "certain and wrong"
        )
        #expect(
            remark(try judgement(seeds(between: 0.01, within: 0)))
                == "the seeds differ, but none of them has a spread"
        )
        #expect(remark(try judgement(SeedEstimates(seeds: 20))) == "too little was seen of it")
        #expect(
            remark(
                try judgement(seeds(between: 0, within: 0.01), exact: 10.2, tolerance: #"{"kind": "abs", "abs": 0.1}"#)
            )
                == "off by more than 0.1"
        )
        #expect(
            remark(try judgement(SeedEstimates(seeds: 20), tolerance: #"{"kind": "abs", "abs": 0.1}"#))
                == "off by more than 0.1"
        )
        #expect(
            remark(try judgement(seeds(between: 0, within: 0), tolerance: #"{"kind": "vector"}"#))
                == "an estimate is never identical"
        )
    }

    @Test("A constant and correct estimate passes")
    func constant() throws {
        #expect(try judgement(seeds(between: 0, within: 0)).verdict == .pass)
    }

    @Test("An estimate that hardly varies passes: a seed without variation is not deterministic")
    func nearlyConstant() throws {
        // One replication in sixteen of every fourth seed deviates by one in 2000, to either side.
        var estimates = SeedEstimates(seeds: 20)
        for seed in 0..<20 {
            for replication in 0..<16 {
                let isOff = seed.isMultiple(of: 4) && replication == 0
                estimates.add((2200 + (isOff ? (seed.isMultiple(of: 8) ? 1 : -1) : 0), 2000), seed: seed)
            }
        }
        let judgement = try judgement(estimates, exact: 1.09999999996)
        #expect(judgement.verdict == .pass, "\(judgement.remark)")
        #expect(judgement.seedScores == nil)
        #expect(try self.judgement(estimates, exact: 1.1003).verdict == .fail)
    }

    @Test(
        "An absolute tolerance is a distance",
        arguments: [(10.09, Judgement.Verdict.pass), (10.11, .fail), (9.91, .pass), (9.89, .fail)]
    )
    func absolute(exact: Double, verdict: Judgement.Verdict) throws {
        let judgement = try judgement(
            seeds(between: 0, within: 0),
            exact: exact,
            tolerance: #"{"kind": "abs", "abs": 0.1}"#
        )
        #expect(judgement.verdict == verdict)
    }
}
