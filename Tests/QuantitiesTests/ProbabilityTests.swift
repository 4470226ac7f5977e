import Quantities
import Testing

@Suite struct ProbabilityTests {
    private static let draws: [UInt64] = [0, 1, 2, 3, 1 << 62, .max >> 1, 1 << 63, .max - 2, .max - 1, .max]

    @Test func theCertainNoNeverHappensAndTheCertainYesAlways() {
        #expect(Probability.never.threshold == 0)
        #expect(Probability.always.threshold == 1 << 63)
        for draw in ProbabilityTests.draws {
            #expect(!Probability.never.happens(draw))
            #expect(Probability.always.happens(draw))
        }
    }

    @Test(
        arguments: [
            // fraction, the last draw that says yes
            (0.5, (1 << 63) - 1),
            (0.25, (1 << 62) - 1),
            (0x1p-63, 1),
            (1 - 0x1p-53, .max - 2048),
        ] as [(Double, UInt64)]
    )
    func theLastDrawThatSaysYes(fraction: Double, last: UInt64) {
        let probability = Probability(fraction)
        #expect(probability.happens(0))
        #expect(probability.happens(last))
        #expect(!probability.happens(last + 1))
        #expect(!probability.happens(.max))
    }

    @Test(arguments: [0, 0.001, 0.1, 0.25, 1.0 / 3, 0.5, 0.999, 1 - 0x1p-53, 1])
    func fractionIsExact(fraction: Double) {
        #expect(Probability(fraction).fraction == fraction)
    }

    /// With one draw, a larger chance says yes whenever a smaller one does.
    @Test(arguments: draws)
    func trialsAreCoupled(draw: UInt64) throws {
        let ascending = [0, 0x1p-63, 0.001, 0.25, 0.5, 0.75, 1 - 0x1p-53, 1].map { Probability($0) }
        let answers = ascending.map { $0.happens(draw) }
        let firstYes = try #require(answers.firstIndex(of: true))
        #expect(answers == answers.indices.map { $0 >= firstYes })
    }

    @Test func orderIsThatOfTheChance() {
        #expect(Probability(0.1) < Probability(0.2))
        #expect(!(Probability(0.2) < Probability(0.2)))
        #expect(!(Probability(0.3) < Probability(0.2)))
        #expect(Probability(0.2) == Probability(0.2))
    }

    @Test func fractionsOutsideZeroToOneAreRefused() async {
        await #expect(processExitsWith: .failure) { _ = Probability(-0x1p-60) }
        await #expect(processExitsWith: .failure) { _ = Probability(1 + 0x1p-52) }
        await #expect(processExitsWith: .failure) { _ = Probability(.nan) }
    }

    @Test func theCertainOnesAreTheFractionsZeroAndOne() {
        #expect(Probability.never == Probability(0))
        #expect(Probability.always == Probability(1))
        #expect(Probability.never < Probability(0x1p-63))
        #expect(Probability(1 - 0x1p-53) < Probability.always)
    }
}
