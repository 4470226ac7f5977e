import Testing
import TextFormats

struct OpenMetricsTextTests {
    @Test
    func familiesStandInOrderWithTheirSamples() {
        var text = OpenMetricsText()
        text.counter("calls", "Calls.", [([("path", "a")], 1)])
        text.gauge("depth", "Depth.", [([], 2)])
        text.add("age", kind: .gauge, unit: "seconds", help: "Age.", labels: [], value: "1.5")
        text.counter("calls", "Calls.", [([("path", "b")], 3)])
        #expect(
            text.text == """
                # TYPE calls counter
                # HELP calls Calls.
                calls_total{path="a"} 1
                calls_total{path="b"} 3
                # TYPE depth gauge
                # HELP depth Depth.
                depth 2
                # TYPE age_seconds gauge
                # UNIT age_seconds seconds
                # HELP age_seconds Age.
                age_seconds 1.5
                # EOF

                """
        )
    }

    @Test
    func aFamilyStandsThereWithoutSamples() {
        var text = OpenMetricsText()
        text.counter("calls", "Calls.", [])
        #expect(text.text == "# TYPE calls counter\n# HELP calls Calls.\n# EOF\n")
    }

    @Test
    func labelsAndHelpAreEscaped() {
        var text = OpenMetricsText()
        text.gauge("a b", "A \"quoted\"\nline.", [([("path", "a\"\\\n")], 1)])
        #expect(
            text.text == #"""
                # TYPE a_b gauge
                # HELP a_b A \"quoted\"\nline.
                a_b{path="a\"\\\n"} 1
                # EOF

                """#
        )
    }
}
