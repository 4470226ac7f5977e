import InputFiles
import ScenarioLanguage
import Testing

extension ScenarioError {
    /// Returns the problems for which an operation must fail.
    static func diagnostics<Value>(of operation: () throws -> Value) -> [Diagnostic] {
        let error = #expect(throws: ScenarioError.self) { try operation() }
        guard case .invalid(let diagnostics) = error else {
            Issue.record("\(String(describing: error))")
            return []
        }
        return diagnostics
    }

    /// Returns the problems for which an operation must fail, without their file: `line:column: message`.
    static func lines<Value>(of operation: () throws -> Value) -> [String] {
        diagnostics(of: operation).map { "\($0.line):\($0.column): \($0.message)" }
    }
}
