import Foundation
import Testing

@testable import Verification
@testable import freshet_verify

@Suite("Lists of judgements")
struct JudgementListTests {
    private static func judgement(
        _ id: String,
        _ verdict: Judgement.Verdict,
        _ numbers: (exact: Double, estimate: Double, halfWidth: Double, z: Double)? = nil,
        seeds: Int = 0,
        remark: String = ""
    ) -> Judgement {
        var judgement = Judgement(id: id, verdict: verdict, remark: remark)
        judgement.exact = numbers?.exact
        judgement.estimate = numbers?.estimate
        judgement.halfWidth = numbers?.halfWidth
        judgement.z = numbers?.z
        judgement.seeds = seeds
        return judgement
    }

    private let list = JudgementList(judgements: [
        judgement("A-1", .pass, (0.1234567, 0.1234444, 0.000012, -1.25), seeds: 20),
        judgement("A-22", .fail, (1000, .infinity, .nan, 12.5), seeds: 20, remark: "too far off"),
        judgement("B", .notExpressible, remark: "the model is unknown"),
        judgement("C", .notUsed),
    ])

    @Test("One row per case, numbers with six digits, and the counts")
    func table() {
        #expect(
            list.table == """
                case  verdict             exact  estimate        ±      z  seeds  remark
                A-1   pass             0.123457  0.123444  1.2e-05  -1.25     20
                A-22  fail               1000.0                     12.50     20  too far off
                B     not_expressible                                             the model is unknown
                C     not_used

                1 passed, 1 failed, 1 not expressible, 1 not used

                """
        )
    }

    @Test("JSON has every digit, and null for a missing number")
    func json() throws {
        let objects = try #require(JSONSerialization.jsonObject(with: Data(list.json.utf8)) as? [[String: Any]])
        #expect(objects.map { $0["id"] as? String } == ["A-1", "A-22", "B", "C"])
        #expect(objects.map { $0["verdict"] as? String } == ["pass", "fail", "not_expressible", "not_used"])
        #expect(
            objects.allSatisfy { Set($0.keys) == ["id", "verdict", "exact", "estimate", "half_width", "z", "seed_z"] }
        )
        #expect(objects.map { $0["exact"] as? Double } == [0.1234567, 1000, nil, nil])
        #expect(objects.map { $0["estimate"] as? Double } == [0.1234444, nil, nil, nil])
        #expect(objects.map { $0["half_width"] as? Double } == [0.000012, nil, nil, nil])
        #expect(objects.map { $0["z"] as? Double } == [-1.25, 12.5, nil, nil])
        #expect(JudgementList(judgements: []).json == "[]\n")
    }

    @Test("Only a wrong answer is a failure", arguments: Judgement.Verdict.allCases)
    func failures(verdict: Judgement.Verdict) {
        #expect(
            JudgementList(judgements: [Self.judgement("A", .pass), Self.judgement("B", verdict)]).hasFailures
                == (verdict == .fail)
        )
    }
}
