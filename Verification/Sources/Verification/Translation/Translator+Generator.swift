import ScenarioLanguage
import SimulationKernel

/// Published blocks of the generator behind all draws.
struct KnownAnswer: Sendable {
    /// A counter and a key with the resulting block.
    struct Block: Sendable {
        var counter: [UInt64]
        var key: UInt64
        var output: [UInt64]
    }

    /// The number of rounds of the generator.
    var rounds: Int
    var blocks: [Block]
}

extension KnownAnswer {
    /// Compares the generator's blocks with the published ones.
    func judgement(of known: Case) -> Judgement {
        let wrong = blocks.firstIndex { block in
            let counter = Philox2x64.Block(block.counter[0], block.counter[1])
            let output = Philox2x64.block(counter: counter, key: block.key, rounds: rounds)
            return [output.word0, output.word1] != block.output
        }
        guard let wrong else { return Judgement(id: known.id, verdict: .pass, remark: "\(blocks.count) blocks") }
        return Judgement(id: known.id, verdict: .fail, remark: "block \(wrong + 1) differs")
    }
}

extension Translator {
    /// Draws use Philox2x64 with seven rounds, and its keys come from the variant with ten; other generators are not
    /// used.
    func generator(_ known: Case) -> Translation {
        let rounds: Int
        switch model {
        case "philox2x64-7": rounds = 7
        case "philox2x64-10": rounds = 10
        default: return .notUsed("draws come from Philox2x64")
        }
        var blocks: [KnownAnswer.Block] = []
        for node in known.exact.list ?? [] {
            guard let counter = words("ctr", of: node, count: 2), let key = words("key", of: node, count: 1),
                let output = words("out", of: node, count: 2)
            else { return .notExpressible("exact must hold blocks {ctr, key, out} of 64-bit words in hexadecimal") }
            blocks.append(KnownAnswer.Block(counter: counter, key: key[0], output: output))
        }
        guard !blocks.isEmpty else { return .notExpressible("exact holds no blocks") }
        return .knownAnswer(KnownAnswer(rounds: rounds, blocks: blocks))
    }

    private func words(_ key: String, of node: ScenarioNode, count: Int) -> [UInt64]? {
        let nodes = node.mapping?.first { $0.key == key }?.value.list
        let words = nodes?.compactMap { $0.scalar.flatMap { UInt64($0, radix: 16) } }
        return words?.count == count ? words : nil
    }
}
