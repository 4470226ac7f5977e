import Experiments
import Verification

extension ReaderCheck {
    /// How many accepted cases have their scenario written out and read again.
    private static let casesWritten = 8

    func complaintsAboutCases(_ bytes: [UInt8]) -> [String] {
        do throws(ScenarioError) {
            let verification = try Verification(file: scratchFile)
            return verification.ids.prefix(Self.casesWritten).flatMap { complaintsAboutCase($0, verification) }
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    /// The scenario of a case is shown as a file for `freshet run`; so it must be one, and say nothing else.
    private func complaintsAboutCase(_ id: String, _ verification: Verification) -> [String] {
        guard let text = verification.scenarioFile(of: id) else { return [] }
        do throws(ScenarioError) {
            return roundTrip(try ScenarioReader.read(yaml: text, named: "case").experiment)
        } catch {
            return ["the scenario of a case is refused: \(Self.excerpt("\(error)"))"]
        }
    }
}
