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

    @Test
    func whatIsWrittenIsRead() {
        var text = OpenMetricsText()
        text.counter("calls", "Calls.", [([("path", "a, \"b\"\\\n}"), ("status", "200")], 1), ([], 2)])
        text.gauge("depth", "Depth.", [([("of", "")], -2)])
        let samples = OpenMetricsText.samples(of: text.text)
        #expect(samples.map(\.name) == ["calls_total", "calls_total", "depth"])
        #expect(samples.map(\.value) == ["1", "2", "-2"])
        #expect(samples.map { $0.labels.map(\.name) } == [["path", "status"], [], ["of"]])
        #expect(samples.map { $0["path"] } == ["a, \"b\"\\\n}", nil, nil])
        #expect(samples[0]["status"] == "200")
    }

    @Test(arguments: ["", "# EOF", "a", "a{b=\"c\" 1", "a{b 1", "a{b=\"c\\ 1"])
    func whatIsNoSampleIsLeftOut(line: String) {
        #expect(OpenMetricsText.samples(of: line).isEmpty)
    }
}
