import SimulationKernel

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
