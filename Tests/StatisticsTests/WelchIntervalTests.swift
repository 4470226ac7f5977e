import Statistics
import Testing

@Suite("Welch's interval")
struct WelchIntervalTests {
    /// Values of SciPy 1.17.1: `ttest_ind(second, first, equal_var=False)`, its `df` and `confidence_interval(0.95)`.
    @Test("Difference, degrees of freedom and interval equal those of SciPy")
    func knownAnswers() throws {
        let even = try #require(
            WelchInterval(
                [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4],
                [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4]
            )
        )
        #expect(abs(even.difference - 2.833333333333332) < 1e-12)
        #expect(abs(even.degreesOfFreedom - 27.88730398842012) < 1e-10)
        #expect(abs(even.range.lowerBound - 0.7986439248746979) < 1e-7)
        #expect(abs(even.range.upperBound - 4.868022741791966) < 1e-7)

        let uneven = try #require(
            WelchInterval(
                [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8],
                [
                    21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5,
                    22.5, 23.5, 21.5, 21.8,
                ]
            )
        )
        #expect(abs(uneven.difference - 1.5249999999999986) < 1e-12)
        #expect(abs(uneven.degreesOfFreedom - 9.904741248650831) < 1e-10)
        #expect(abs(uneven.halfWidth - 2.1734213253751644) < 1e-7)
    }

    @Test("Without spread the interval is a point; without two values there is none")
    func edges() throws {
        let point = try #require(WelchInterval([3, 3, 3], [5, 5]))
        #expect(point.range.lowerBound == 2 && point.range.upperBound == 2)
        #expect(WelchInterval([3], [5, 5]) == nil)
        #expect(WelchInterval([3, 3], [5]) == nil)
        let oneSided = try #require(WelchInterval([3, 3, 3], [4, 6]))
        #expect(oneSided.degreesOfFreedom == 1)
    }
}
