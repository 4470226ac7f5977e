import Foundation
import ScenarioLanguage
import TestSupport
import Testing

@testable import Verification

@Suite("Files of cases")
struct CaseFileTests {
    @Test("A case is read with its limits; omitted limits have the defaults")
    func reads() throws {
        let usual = try Case.read(Case.json("queue", "mmc", "Wq", exact: "\"0.25\""))
        #expect([usual.id, usual.group, usual.model, usual.quantity] == ["A", "queue", "mmc", "Wq"])
        #expect(usual.exactNumber == 0.25)
        #expect(usual.tolerance == .monteCarlo(.init()))
        let strict = #"{"kind": "mc", "max_abs_z": 3, "max_rel_half_width": "0.002", "min_seeds": 50}"#
        var limits = Tolerance.MonteCarlo()
        (limits.largestZ, limits.largestRelativeHalfWidth, limits.fewestSeeds) = (3, 0.002, 50)
        #expect(try Case.read(Case.json("", "", tolerance: strict)).tolerance == .monteCarlo(limits))
        let near = #"{"kind": "abs", "abs": 1e-3}"#
        #expect(try Case.read(Case.json("", "", tolerance: near)).tolerance == .absolute(0.001))
        for kind in ["trace", "vector", "meta"] {
            let same = #"{"kind": "\#(kind)"}"#
            #expect(try Case.read(Case.json("", "", exact: "[]", tolerance: same)).tolerance == .identical)
        }
    }

    @Test("A file that is too large is rejected unread, with its size and the limit")
    func tooLarge() throws {
        let scratch = Scratch()
        let file = try scratch.write("", to: "cases.json")
        // A sparse file, which takes no space on the disk.
        #expect(truncate(file, 1 << 30) == 0)
        #expect {
            try CaseFile.read(file)
        } throws: { error in
            "\(error)".contains("16,777,216") || "\(error)".contains("16777216")
        }
    }

    @Test("All errors in a file are reported at once, each with its position")
    func everyError() throws {
        let messages = try refusals(
            """
            {"cases": [
              {"id": "A", "group": "push", "model": "push_periodic", "quantity": "aoi_mean", "params": [],
               "exact": "abc", "tolerance": {"kind": "mc", "max_abs_z": -1}},
              7,
              {"id": "B", "group": [], "model": "m", "quantity": "q", "params": {}, "exact": [1], "tolerance": {"kind": "abs"}},
              {"id": "C", "group": "g", "model": "m", "quantity": "q", "params": {}, "exact": {}, "tolerance": {"kind": "mc"}},
              {"id": "C", "group": "g", "model": "m", "quantity": "q", "params": {}, "exact": 1, "tolerance": {"kind": "about"}},
              {"id": "C", "group": "g", "model": "m", "quantity": "q", "params": {}, "exact": 1, "tolerance": {"kind": "mc"}}
            ]}
            """
        )
        #expect(
            messages == [
                "3:61: case A: tolerance.max_abs_z must be a positive number, got \"-1\"",
                "2:92: case A: params must be an object, got a list",
                "4:3: a case must be an object, got \"7\"",
                "5:24: case B: group must be a text, got a list",
                "5:100: case B: tolerance lacks abs",
                "6:83: case C: exact must be a number, got a section",
                "7:3: the id \"C\" is used twice",
                "8:3: the id \"C\" is used twice",
            ]
        )
    }

    @Test("A case with an unknown tolerance is not expressible, and does not affect others")
    func unknownTolerance() async throws {
        let verification = try Verification.of(
            Case.json("rng", "pcg32", id: "A", exact: "[]", tolerance: #"{"kind": "about"}"#),
            Case.json("ring", "pcg32", id: "B"),
            Case.json("rng", "pcg32", id: "C")
        )
        let judgements = try await verification.run(seeds: 2, jobs: 1) { _, _ in }
        #expect(judgements.map(\.verdict) == [.notExpressible, .notExpressible, .notUsed])
        #expect(judgements[0].remark == #"the tolerance "about" is unknown; known: mc, abs, trace, vector, meta"#)
    }

    @Test("A case's seeds follow from its ID, and two cases have none in common")
    func seeds() throws {
        let (one, other) = (try Case.read(Case.json("", "", id: "A")), try Case.read(Case.json("", "", id: "B")))
        #expect((0..<3).map(one.seed) == (0..<3).map(try Case.read(Case.json("push", "", id: "A")).seed))
        #expect(one.seed(0) == 0x8CD3_A8CA_9F73_4892)
        #expect(Set((0..<200).map(one.seed) + (0..<200).map(other.seed)).count == 400)
    }

    @Test(
        "A file that is not a list of cases is rejected",
        arguments: [
            ("{}", ["1:1: the file lacks cases"]),
            ("[]", ["1:1: the file lacks cases"]),
            (#"{"cases": 5}"#, ["1:1: cases must be a list"]),
            ("", ["1:1: the file has no content"]),
            ("{\"cases\": [\n", ["2:1: syntax error: did not find expected node content"]),
            (#"{"cases": [], "cases": []}"#, [#"1:15: the key "cases" is given twice in this section, first at 1:2"#]),
        ]
    )
    func noCases(text: String, messages: [String]) throws {
        #expect(try refusals(text) == messages)
    }
}
