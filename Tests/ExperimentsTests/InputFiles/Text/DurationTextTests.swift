import Quantities
import Testing

@testable import InputFiles

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "Texts and their values in microseconds",
        arguments: [
            ("0", 0), ("0s", 0), ("250us", 250), ("250ms", 250_000), ("3s", 3_000_000), ("2m", 120_000_000),
            ("8h", 28_800_000_000), ("1d", 86_400_000_000), ("1h30m", 5_400_000_000), ("1.5s", 1_500_000),
            ("1m1.000001s", 61_000_001), ("0.000001s", 1), ("1.50000000000000000000000s", 1_500_000),
            ("3650d", 315_360_000_000_000), ("1d2h3m4s5ms6us", 93_784_005_006),
            ("2000ns", 2), ("1us1000ns", 2), ("89000000ns", 89_000), ("1ms500000ns", 1500),
        ]
    )
    func spans(text: String, microseconds: Int64) throws {
        #expect(try DurationText.span(text) == TimeSpan(microseconds: microseconds))
        #expect(try DurationText.microseconds(text) == Double(microseconds))
    }

    @Test(
        "Invalid durations, and the reasons",
        arguments: [
            ("", DurationText.ParseError.malformed), ("s", .malformed), ("3 s", .malformed), ("3S", .malformed),
            ("3sec", .malformed), ("1.s", .malformed), (".5s", .malformed), ("1e3s", .malformed), ("+3s", .malformed),
            ("30m1h", .malformed), ("1h1h", .malformed), ("1.5h30m", .malformed), ("--3s", .malformed),
            ("٣s", .malformed), (String(repeating: "-", count: 1 << 17) + "3s", .malformed),
            ("5", .unitMissing), ("1.5", .unitMissing), ("-5s", .negative), ("0.1us", .finerThanMicrosecond),
            ("1.0000001s", .finerThanMicrosecond),
            ("500ns", .finerThanMicrosecond), ("1ns1us", .malformed), ("1ns1ns", .malformed), ("3650d1us", .tooLong),
            ("9999999999999999999999d", .tooLong),
        ]
    )
    func errors(text: String, error: DurationText.ParseError) {
        #expect(throws: error) { try DurationText.span(text) }
    }

    @Test(
        "Durations are written in a canonical form that reads as the same duration",
        arguments: [
            (0, "0s"), (1, "1us"), (999, "999us"), (1500, "1.5ms"), (1_500_000, "1.5s"), (61_000_001, "1m1.000001s"),
            (90_000_000, "1m30s"), (5_400_000_000, "1h30m"), (86_400_000_000, "1d"),
            (93_784_005_006, "1d2h3m4.005006s"),
        ]
    )
    func texts(microseconds: Int64, text: String) throws {
        #expect(DurationText.text(TimeSpan(microseconds: microseconds)) == text)
        #expect(try DurationText.span(text) == TimeSpan(microseconds: microseconds))
    }

    @Test("Parameters accept nanoseconds", arguments: [("500ns", 0.5), ("1us250ns", 1.25), ("1.5ns", 0.0015)])
    func nanoseconds(text: String, microseconds: Double) throws {
        #expect(try DurationText.microseconds(text) == microseconds)
    }

    @Test("Parameters keep fractions of a microsecond", arguments: [1e6 / 3, 0.5, 1e-7, 123_456_789.123])
    func fractions(microseconds: Double) throws {
        #expect(try DurationText.microseconds(DurationText.text(microseconds: microseconds)) == microseconds)
    }
}
