import Foundation
import ScenarioLanguage
import TestSupport

@testable import InputFiles
@testable import Verification

/// Calls a closure with a temporary file, which is removed afterwards.
func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
    let scratch = Scratch()
    return try body(scratch.write(text, to: "cases.json"))
}

extension Case {
    /// A case in the form of a file.
    static func json(
        _ group: String,
        _ model: String,
        _ quantity: String = "",
        _ parameters: String = "{}",
        id: String = "A",
        exact: String = "1",
        tolerance: String = #"{"kind": "mc"}"#
    ) -> String {
        """
        {"id": "\(id)", "group": "\(group)", "model": "\(model)", "params": \(parameters), "quantity": "\(quantity)",
         "exact": \(exact), "tolerance": \(tolerance)}
        """
    }

    /// The only case of a file.
    static func read(_ json: String) throws -> Case {
        try withFile(#"{"cases": [\#(json)]}"#) { try CaseFile.read($0)[0] }
    }
}

extension Verification {
    /// The verification of a file with these cases.
    static func of(_ cases: String..., only prefix: String = "") throws -> Verification {
        try withFile(#"{"cases": [\#(cases.joined(separator: ",\n"))]}"#) { try Verification(file: $0, only: prefix) }
    }
}

/// All errors for which a file is rejected, without its name: `line:column: message`.
func refusals(_ json: String) throws -> [String] {
    try withFile(json) { file in
        do {
            _ = try Verification(file: file)
            return []
        } catch ScenarioError.invalid(let diagnostics) {
            return diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
        }
    }
}
