import Testing

@testable import Reporting

@Suite("Output for GitHub's workflows")
struct GitHubActionsTests {
    @Test("Texts and properties have different escaping rules")
    func escapes() {
        let annotations = GitHubActions.annotations([("a: 5%, b\n", "x: 5%, y\r\nz::error::")], file: "a,b:c.yaml")
        #expect(
            annotations
                == "::error file=a%2Cb%3Ac.yaml,title=a%3A 5%25%2C b%0A::x: 5%25, y%0D%0Az::error::\n"
        )
    }

    @Test("At most ten annotations are printed; the last one counts the rest")
    func atMostTen() {
        func annotations(_ count: Int) -> [Substring] {
            GitHubActions.annotations((0..<count).map { ("\($0)", "text") }).split(separator: "\n")
        }
        #expect(annotations(0).isEmpty)
        #expect(annotations(10).count == 10 && annotations(10)[9] == "::error title=9::text")
        #expect(annotations(12).count == 10)
        #expect(annotations(12)[9] == "::error title=3 more::3 more failed; see the step's summary")
    }

    @Test("A summary fits into the remaining space, in whole lines")
    func summary() {
        #expect(GitHubActions.summary("a\nb\n") == "a\nb\n")
        let long = String(repeating: "é234567\n", count: 200_000)
        let cut = GitHubActions.summary(long, used: 1000)
        #expect(cut.utf8.count <= GitHubActions.longestSummary - 1000)
        #expect(cut.utf8.count > GitHubActions.longestSummary - 1100)
        #expect(cut.hasSuffix("é234567\n\nThe rest is left out because the length of this text is limited.\n"))
        #expect(GitHubActions.summary("a\n", used: GitHubActions.longestSummary).isEmpty)
    }
}
