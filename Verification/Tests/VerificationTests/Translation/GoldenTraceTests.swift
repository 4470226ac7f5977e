import Foundation
import Testing

@testable import Verification

/// The golden lives of one instance, run by the whole model instead of only the core.
///
/// They cover every boundary and tie: deliveries come before regular updates, those before the monitor, and equal ones
/// in the order of creation. Times are in milliseconds.
@Suite("Golden traces through the whole model")
struct GoldenTraceTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/golden-traces.json").standardizedFileURL.path

    private static func judgements(_ verification: Verification) async throws -> [Judgement] {
        try await verification.run(seeds: 2, jobs: 1) { _, _ in }
    }

    @Test("Logs, stale times and ends agree to the microsecond")
    func agrees() async throws {
        let judgements = try await Self.judgements(Verification(file: Self.file))
        #expect(judgements.count == 10)
        for judgement in judgements {
            #expect(judgement.verdict == .pass, "\(judgement.id): \(judgement.remark)")
        }
    }

    @Test(
        "Every deviation is reported",
        arguments: [
            (
                "[30000, \"send\", \"update\"]", "[30001, \"send\", \"update\"]",
                "line 2 is \"30000 send update\", must be \"30001 send update\""
            ),
            (", [101500, \"class\", \"fresh\"]", "", "line 7 is \"101500 class fresh\", must be \"nothing\""),
            ("\"stale_ms\": 11500", "\"stale_ms\": 11501", "stale for 11500000 µs, must be 11501000"),
            ("\"final\": \"fresh\"", "\"final\": \"severe\"", "it ends fresh, must be severe"),
        ]
    )
    func differs(text: String, wrong: String, remark: String) async throws {
        let cases = try String(contentsOfFile: Self.file, encoding: .utf8)
            .replacing(text, with: wrong, maxReplacements: 1)
        let verification = try withFile(cases) { try Verification(file: $0, only: "TRACE-01") }
        let judgement = try await Self.judgements(verification)[0]
        #expect(judgement.verdict == .fail)
        #expect(judgement.remark == remark)
    }

    @Test(
        "An outcome that the network does not support",
        arguments: [#"["ok"]"#, #"["ok", -1]"#, #"["ok", 1e300]"#, #"["500", 1]"#, #""lost""#, "[]"]
    )
    func unknownOutcome(outcome: String) throws {
        let parameters = """
            {"name": "n", "TTL": 1, "S": 1, "V": 1, "retry_offsets": [], "end_offsets": [0], "updates": [],
             "until": 10, "outcomes": [\(outcome)]}
            """
        let trace = Case.json(
            "trace",
            "lifecycle_trace",
            "log",
            parameters,
            exact: #"{"log": [], "stale_ms": 0, "final": "fresh"}"#,
            tolerance: #"{"kind": "trace"}"#
        )
        let messages = try refusals("{\"cases\": [\(trace)]}")
        #expect(messages.count == 1)
        #expect(messages[0].hasSuffix(#"outcomes must hold ["lost"], ["ok", 1500] or ["410", 200]"#))
    }
}
