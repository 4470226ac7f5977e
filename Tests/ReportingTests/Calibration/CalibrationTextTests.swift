import Foundation
import SimulationKernel
import Statistics
import TestSupport
import Testing
import Traces

@testable import Reporting

/// The text about a fit, and the files of a fit.
@Suite("Calibration in words, tables and files")
struct CalibrationTextTests {
    /// Waits in whole seconds, some of them zero, with or without a log.
    static func calibration() throws -> Calibration {
        let sampler = try Distribution.gamma(shape: 0.8, scale: 5e6).compiled()
        let source = RandomSource(seed: 4, replication: 0)
        let text =
            "wait_s,set\n"
            + (0..<300)
            .map {
                "\((sampler.value(for: source.draw(entity: UInt64($0), purpose: 2, index: 0)) + 500_000) / 1_000_000),a\n"
            }
            .joined() + "7,b\n,a\n"
        let scratch = Scratch()
        try scratch.write(text, to: "waits.csv")
        var column = DataColumn(name: "wait_s", unit: .seconds)
        column.filters = [DataColumn.Filter(column: "set", value: "a")]
        let values = try column.read(path: scratch.path("waits.csv"))
        return try Calibration(Calibration.Source(file: "some/waits.csv", column: column, values: values))
    }

    @Test("The text states the fitted data and the method, and prints the lines to paste")
    func plain() throws {
        let calibration = try Self.calibration()
        let text = CalibrationText(calibration).plain
        #expect(text.hasPrefix("some/waits.csv: wait_s where set=a, 300 values, mean "))
        #expect(text.contains("Left out: 1 other rows, 1 empty cells."))
        #expect(text.contains("Recorded in steps of 1 s: each value covers half a step to either side; the "))
        #expect(text.contains("KS distance  Distribution"))
        let best = try #require(calibration.best)
        #expect(
            text.contains(
                "# the best fit; source: waits.csv, wait_s where set=a, n = 300\n\(calibration.yaml(best.fit))\n"
            )
        )
        #expect(!text.contains("the raw data"))
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("p95 ") })
    }

    @Test("The same values give the same files, valid JSON, and rows as long as the header", .enabled(if: Loop.isFull))
    func files() throws {
        let files = RunFiles(try Self.calibration())
        #expect(files == RunFiles(try Self.calibration()))
        #expect(
            files.files.map(\.path) == ["report.md", "fit.json", "fit.csv", "charts/quantiles.vl.json"]
        )
        for file in files.files where file.path.hasSuffix(".json") {
            _ = try JSONSerialization.jsonObject(with: Data(file.text.utf8))
            #expect(!file.text.contains("nan") && !file.text.contains("inf\""))
        }
        let csv = try #require(files.files.first { $0.path == "fit.csv" }).text
        let widths = Set(
            csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        )
        #expect(widths == [7])
    }

    @Test("A fit's directory replaces only another fit's directory")
    func directory() throws {
        let scratch = Scratch()
        let files = RunFiles(try Self.calibration())
        let directory = RunDirectory(path: scratch.path, content: .fit)
        try directory.write(files)
        try scratch.write("mine", to: "notes.txt")
        try directory.write(files)
        #expect(scratch.names.contains("notes.txt"))
        #expect(throws: RunDirectoryError.occupied(path: directory.path, by: .otherFiles(without: .run))) {
            _ = try RunDirectory(path: scratch.path).holdsRun()
        }
    }
}
