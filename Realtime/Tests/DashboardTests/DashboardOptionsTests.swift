import ArgumentParser
import Dashboard
import Testing

@Suite("--dashboard")
struct DashboardOptionsTests {
    private struct Command: ParsableCommand {
        @Argument var file: String?
        @Flag var quiet = false
        @OptionGroup var page: DashboardOptions
    }

    private func port(_ arguments: String...) throws -> Int? {
        try Command.parse(arguments).page.dashboard?.number
    }

    @Test("Without a value it means the default port; 0 is any free port; without the option there is no page")
    func parsing() throws {
        #expect(try port() == nil)
        #expect(try port("--dashboard") == 8798)
        #expect(try port("--dashboard", "--quiet") == 8798)
        #expect(try port("file.yaml", "--dashboard") == 8798)
        #expect(try port("--dashboard", "0") == 0)
        let error = #expect(throws: (any Error).self) { try port("--dashboard", "file.yaml") }
        #expect(error.map { Command.message(for: $0).contains("put it last") } == true)
        #expect(try port("--dashboard=8801", "file.yaml") == 8801)
        #expect(try Command.parse(["--dashboard", "8801", "file.yaml"]).file == "file.yaml")
    }

    @Test(
        "A value that is not a port is refused, and the message quotes it",
        arguments: ["70000", "-1", "x", "file.yaml"]
    )
    func refused(port: String) {
        let error = #expect(throws: (any Error).self) { try Command.parse(["--dashboard=\(port)"]) }
        let message = error.map { Command.message(for: $0) } ?? ""
        #expect(message.contains("--dashboard must be a port, 0 to 65535, got \(port)"), "\(message)")
    }
}
