import SimulationKernel
import Testing

struct Philox2x64Tests {
    /// The known answers that the authors publish with Random123 (file kat_vectors).
    @Test(
        arguments: [
            (7, Philox2x64.Block(0, 0), 0, Philox2x64.Block(0xb41d_a69f_bfef_c666, 0x511e_9ce1_a553_4056)),
            (
                7, Philox2x64.Block(.max, .max), UInt64.max,
                Philox2x64.Block(0xa469_6cc0_4462_015d, 0x7247_82da_e171_69e9)
            ),
            (
                7, Philox2x64.Block(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344), 0xa409_3822_299f_31d0,
                Philox2x64.Block(0x98ed_1534_392b_f372, 0x6752_8b15_6888_2fd5)
            ),
            (10, Philox2x64.Block(0, 0), 0, Philox2x64.Block(0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5)),
            (
                10, Philox2x64.Block(.max, .max), UInt64.max,
                Philox2x64.Block(0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20)
            ),
            (
                10, Philox2x64.Block(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344), 0xa409_3822_299f_31d0,
                Philox2x64.Block(0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d)
            ),
        ] as [(Int, Philox2x64.Block, UInt64, Philox2x64.Block)]
    )
    func knownAnswers(rounds: Int, counter: Philox2x64.Block, key: UInt64, answer: Philox2x64.Block) {
        #expect(Philox2x64.block(counter: counter, key: key, rounds: rounds) == answer)
    }

    @Test
    func sevenRoundsByDefault() {
        let counter = Philox2x64.Block(1, 2)
        #expect(
            Philox2x64.block(counter: counter, key: 3) == Philox2x64.block(counter: counter, key: 3, rounds: 7)
        )
    }
}
