import SimulationKernel
import Testing

@Suite struct EventWordTests {
    @Test(
        arguments: [
            (0, 0, 0),
            (0, 67_108_863, 0x03FF_FFFF),
            (1, 0, 0x0400_0000),
            (63, 0, 0xFC00_0000),
            (63, 67_108_863, 0xFFFF_FFFF),
            (42, 1_234_567, 0xA812_D687),
        ] as [(UInt8, UInt32, UInt32)]
    )
    func kindAndSubjectComeBack(kind: UInt8, subject: UInt32, bits: UInt32) {
        let word = EventWord(kind: kind, subject: subject)
        #expect(word.bits == bits)
        #expect(word.kind == kind)
        #expect(word.subject == subject)
    }

    @Test func limits() {
        #expect(EventWord.kindLimit == 64)
        #expect(EventWord.subjectLimit == 67_108_864)
        #expect(EventPriority.rankLimit == 16)
    }

    @Test func whatDoesNotFitIsRefused() async {
        await #expect(processExitsWith: .failure) { _ = EventWord(kind: 64, subject: 0) }
        await #expect(processExitsWith: .failure) { _ = EventWord(kind: 0, subject: 1 << 26) }
        await #expect(processExitsWith: .failure) { _ = EventPriority(rank: 16) }
    }

    @Test func smallerRanksComeFirst() {
        #expect(EventPriority(rank: 0) < EventPriority(rank: 1))
        #expect(EventPriority(rank: 14) < EventPriority(rank: 15))
        #expect(!(EventPriority(rank: 15) < EventPriority(rank: 15)))
        #expect(!(EventPriority(rank: 15) < EventPriority(rank: 0)))
    }
}
