import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("freshet run with a ride trace in Parquet")
struct ParquetTraceTests {
    private let scratch = Scratch()

    /// The Python with the packages of notebooks-export that `make notebooks` installs.
    private static let python = Command.root.appending(path: ".venv/bin/python").path
    private static let hasPyarrow =
        FileManager.default.isExecutableFile(atPath: python)
        && (try? Command.run("-c 'import pyarrow'", program: python))?.status == 0

    /// Runs the shipped scenario with another trace.
    private static func run(_ trace: String, into output: String, python: String = python) throws -> Command.Outcome {
        try Command.run(
            "run experiments/trace-replay.yaml --quiet --output \(output) --set rides.trace.file=\(trace)",
            environment: ["FRESHET_PYTHON": python],
            directory: Command.root
        )
    }

    @Test("Rides give the same results from CSV and from Parquet", .enabled(if: hasPyarrow))
    func sameRides() throws {
        let trace = scratch.path("trips.parquet")
        let csv = "experiments/traces/lyft-sample.csv"
        // Small row groups, a dictionary, and unused columns between the used ones.
        let script = """
            from pyarrow import array, csv, parquet
            from sys import argv
            trips = csv.read_csv(argv[1])
            trips = trips.add_column(1, "trip_miles", array([1.5] * len(trips)))
            trips = trips.set_column(0, "hvfhs_license_num", trips["hvfhs_license_num"].dictionary_encode())
            parquet.write_table(trips, argv[2], row_group_size=7)
            """
        let written = try Command.run("-c \(script) \(csv) \(trace)", program: Self.python, directory: Command.root)
        #expect(written.status == 0, "\(written.errors)")
        for (name, file) in [("csv", csv), ("parquet", trace)] {
            let outcome = try Self.run(file, into: scratch.path(name))
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let (one, two) = (try scratch.contents(of: "csv"), try scratch.contents(of: "parquet"))
        for file in ["summary.csv", "timeseries.csv", "histograms.csv", "replications.csv"] {
            #expect(one[file] != nil && one[file] == two[file], "\(file)")
        }

        // A truncated file has no footer.
        try Data(contentsOf: URL(filePath: trace)).prefix(2000).write(to: scratch.url.appending(path: "cut.parquet"))
        let cut = try Self.run(scratch.path("cut.parquet"), into: scratch.path("cut"))
        #expect(cut.status == 65)
        #expect(cut.errors.contains("cut.parquet: cannot be read as Parquet: "))
        #expect(cut.errors.split(separator: "\n").count == 1, "\(cut.errors)")
    }

    @Test("A file with other columns is rejected with the reason", .enabled(if: hasPyarrow))
    func otherColumns() throws {
        let trace = scratch.path("other.parquet")
        let script = """
            from pyarrow import parquet, table
            from sys import argv
            parquet.write_table(table({"tip": [1.5]}), argv[1])
            """
        #expect(try Command.run("-c \(script) \(trace)", program: Self.python).status == 0)
        let outcome = try Self.run(trace, into: scratch.path("out"))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("other.parquet:1:1: the header is not one of a ride trace: got \"tip\""))
    }

    @Test("Without Python the message says how to get a CSV, and the exit code allows another try")
    func withoutPython() throws {
        let trace = scratch.path("trips.parquet")
        try Data("PAR1 and whatever follows".utf8).write(to: URL(filePath: trace))
        let outcome = try Self.run(trace, into: scratch.path("out"), python: "/usr/bin/false")
        #expect(outcome.status == 75)
        #expect(outcome.errors.hasPrefix("\(trace): is a Parquet file"))
        #expect(outcome.errors.contains("pyarrow") && outcome.errors.contains("> trips.csv"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
}
