import Evaluation
import Reporting
import Shell

extension EarlyEnd {
    /// Notes that results have been written, which a second signal leaves as they are.
    ///
    /// - Parameter lacksComparison: `true` if a comparison with a simulation is still to come.
    func keepsResults(in directory: String, lacksComparison: Bool = false) {
        keeps("the results are in \(directory)" + (lacksComparison ? ", not compared with a simulation" : ""))
    }
}

extension EarlyEndMark {
    /// The reason why a run that was ended early is not compared with a simulation.
    static let notCompared = "not compared with a simulation, because the run was ended early"

    /// Ends the command with the code of the signal that requested the early end.
    func endCommand(quiet: Bool) throws -> Never {
        if quiet { printError("\(sentence).") }
        throw exitCode
    }
}
