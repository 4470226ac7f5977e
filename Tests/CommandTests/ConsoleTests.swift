import CommandTestSupport
import Testing

/// Rules for output that a console block omits, and for the marks that it needs.
@Suite("Consoles on the pages")
struct ConsoleTests {
    private static let printed = """
        a town, seed 1

        share    mean
          fresh  88 %
          stale  12 %
        Results: /tmp/x

        """

    @Test(
        "All lines, fewer lines with an ellipsis for the rest, or no line",
        arguments: [
            "a town, seed 1|share    mean|  fresh  88 %|  stale  12 %|Results: /tmp/x", "…|  fresh  88 %|…",
            "a town, seed 1|…|Results: /tmp/x", "a town, …|…|  stale  12 %|  …", "…|Results: …", "…|Results: /tmp/x …",
            "…", "",
        ]
    )
    func right(_ page: String) {
        #expect(Console.difference(of: page.split(separator: "|"), from: Self.printed) == nil)
    }

    @Test(
        "Omitted lines without a mark, and a mark without omitted lines",
        arguments: [
            ("share    mean|…", "prints more before this, which a line with … has to mark: share    mean"),
            ("a town, seed 1", "prints more at its end, which a line with … has to mark"),
            ("a town|…", "does not print, in this order: a town"),
            ("…|fresh|…", "does not print, in this order: fresh"),
            ("…|a town, seed 1|…", "prints nothing that is left out before: a town, seed 1"),
            ("…|Results: /tmp/x|…", "prints nothing more at its end"),
            ("…|  stale  12 %|  fresh  88 %|…", "does not print, in this order:   fresh  88 %"),
            ("…|share mean|…", "does not print, in this order: share mean"),
        ]
    )
    func wrong(page: String, problem: String) {
        #expect(Console.difference(of: page.split(separator: "|"), from: Self.printed) == problem)
    }

    @Test("Columns of measured values can have any width if a page says so")
    func aligned() {
        #expect(Console.difference(of: ["…", "share mean", "…"], from: Self.printed, isAligned: false) == nil)
    }
}
