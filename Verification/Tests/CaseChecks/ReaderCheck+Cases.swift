public import ReaderChecks
import ScenarioLanguage
import Verification

extension ReaderCheck.Reader {
    /// Files of known results, up to their scenarios.
    public static let cases = ReaderCheck.Reader("cases") { $0.complaintsAboutCases($1) }
}

extension ReaderCheck {
    /// The number of accepted cases whose scenario is written and read again.
    private static let casesWritten = 8

    fileprivate func complaintsAboutCases(_ bytes: [UInt8]) -> [String] {
        do throws(ScenarioError) {
            let verification = try Verification(file: scratchFile)
            return verification.ids.prefix(Self.casesWritten).flatMap { complaintsAboutCase($0, verification) }
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    /// Checks that the scenario printed for a case is a valid file for `freshet run` with the same contents.
    private func complaintsAboutCase(_ id: String, _ verification: Verification) -> [String] {
        guard let text = verification.scenarioFile(of: id) else { return [] }
        do throws(ScenarioError) {
            return roundTrip(try ScenarioReader.read(yaml: text, named: "case").experiment)
        } catch {
            return ["the scenario of a case is refused: \(Self.excerpt("\(error)"))"]
        }
    }
}
