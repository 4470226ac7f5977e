import Foundation

/// SimPy's M/M/1 in a separate process.
struct SimPy {
    let python: String
    let customers: Int

    /// Runs the script, which prints its processor time.
    func nanosecondsPerCustomer() throws -> Double {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "simpy/mm1.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script.path, "\(customers)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let nanoseconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw ComparisonFailure(description: "SimPy's script failed")
        }
        return nanoseconds
    }
}
