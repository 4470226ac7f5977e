import Testing
import TextFormats

struct FixedPointTests {
    @Test(
        arguments: [
            (0, "0.000000"), (-0.0, "0.000000"), (1, "1.000000"), (-1.5, "-1.500000"), (0.1, "0.100000"),
            (1.0 / 3, "0.333333"), (2.0 / 3, "0.666667"), (1e-7, "0.000000"), (-1e-7, "0.000000"),
            (5e-7, "0.000000"), (6e-7, "0.000001"), (0.9999996, "1.000000"), (-0.9999996, "-1.000000"),
            (0x1p-1074, "0.000000"), (0x1p53, "9007199254740992.000000"), (0x1p63, "9223372036854775808.000000"),
            // Exact halves of the last place are rounded to the even neighbour: 2^-7 is 0.0078125.
            (0x1p-7, "0.007812"), (0x3p-7, "0.023438"),
        ] as [(Double, String)]
    )
    func sixPlaces(number: Double, text: String) {
        #expect(FixedPoint.text(number, places: 6) == text)
    }

    @Test(arguments: [(0.5, "0"), (1.5, "2"), (2.5, "2"), (-2.5, "-2"), (1234.9, "1235")] as [(Double, String)])
    func noPlaces(number: Double, text: String) {
        #expect(FixedPoint.text(number, places: 0) == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 0x1p64, 1e300])
    func whatHasNoText(number: Double) {
        #expect(FixedPoint.text(number, places: 6) == nil)
    }
}
