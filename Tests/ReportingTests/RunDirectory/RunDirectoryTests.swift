import Foundation
import Quantities
import TestSupport
import Testing

@testable import Reporting

struct RunDirectoryTests {
    private let scratch = Scratch()

    private static func files(_ text: String) -> RunFiles {
        RunFiles(report: [], [("run.json", "{\"run_id\": \"\(text)\"}\n"), ("charts/age.vl.json", text)])
    }

    @Test(arguments: ["run", "deep/er/run", "empty", "run/"])
    func writesANewSet(name: String) throws {
        if name == "empty" { try scratch.makeDirectory(name) }
        try RunDirectory(path: scratch.path("") + name).write(RunDirectoryTests.files("1"))
        #expect(try scratch.text(name + "/run.json") == "{\"run_id\": \"1\"}\n")
        #expect(try scratch.text(name + "/charts/age.vl.json") == "1")
        #expect(!scratch.names.contains { $0.contains(".partial") })
    }

    @Test("Derived files belong to the set: if one cannot be written, no partial set remains")
    func finishing() throws {
        let directory = RunDirectory(path: scratch.path("run"))
        func write(_ text: String, fails: Bool) throws {
            try directory.write(RunDirectoryTests.files(text)) { (place) throws(RunDirectoryError) in
                #expect(FileManager.default.fileExists(atPath: place + "/charts/age.vl.json"))
                #expect(FileManager.default.createFile(atPath: place + "/report.html", contents: Data(text.utf8)))
                if fails { throw .missing(path: place + "/report.md") }
            }
        }
        #expect(throws: RunDirectoryError.self) { try write("1", fails: true) }
        #expect(scratch.names.isEmpty)
        try write("2", fails: false)
        #expect(throws: RunDirectoryError.self) { try write("3", fails: true) }
        #expect(try scratch.text("run/report.html") == "2" && scratch.text("run/charts/age.vl.json") == "2")
        #expect(!scratch.names.contains { $0.contains(".partial") })
    }

    /// Files of a killed process are removed; those of a live process and those moved aside stay.
    @Test
    func removesWhatKilledProcessesLeftBehind() throws {
        let killed = Process()
        killed.executableURL = URL(fileURLWithPath: "/bin/sh")
        killed.arguments = ["-c", "exit 0"]
        try killed.run()
        killed.waitUntilExit()
        let abandoned = ".run.partial-\(killed.processIdentifier)"
        for name in [abandoned, ".run.partial-1", abandoned + "-old"] {
            try scratch.makeDirectory(name)
        }
        try RunDirectory(path: scratch.path("run")).write(RunDirectoryTests.files("1"))
        #expect(!scratch.names.contains(abandoned))
        #expect(scratch.names.contains(".run.partial-1"))
        #expect(scratch.names.contains(abandoned + "-old"))
    }

    @Test
    func replacesItsOwnFilesAndKeepsOthers() throws {
        let directory = RunDirectory(path: scratch.path("run"))
        try directory.write(RunDirectoryTests.files("1"))
        try scratch.write("slow", to: "run/timing.json")
        try scratch.write("old", to: "run/charts/gone.vl.json")
        try scratch.write("picture", to: "run/charts/age.png")
        try scratch.write("mine", to: "run/notes/a.txt")
        try directory.write(RunDirectoryTests.files("2"))
        #expect(
            scratch.names == [
                "run", "run/charts", "run/charts/age.png", "run/charts/age.vl.json", "run/notes", "run/notes/a.txt",
                "run/report.md", "run/run.json",
            ]
        )
        #expect(try scratch.text("run/charts/age.vl.json") == "2")
        #expect(try scratch.text("run/notes/a.txt") == "mine")
    }

    @Test
    func replacesWhereALinkLeads() throws {
        try RunDirectory(path: scratch.path("run")).write(RunDirectoryTests.files("1"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("latest"), withDestinationPath: "run")
        try RunDirectory(path: scratch.path("latest")).write(RunDirectoryTests.files("2"))
        #expect(try scratch.text("run/run.json") == "{\"run_id\": \"2\"}\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("latest")) == "run")
    }

    @Test(arguments: ["notes.txt", "run.json"])
    func refusesADirectoryThatIsNoRunDirectory(name: String) throws {
        try scratch.write("{\"name\": \"mine\"}", to: "there/\(name)")
        let directory = RunDirectory(path: scratch.path("there"))
        let error = RunDirectoryError.occupied(path: directory.path, by: .otherFiles(without: .run))
        #expect(throws: error) { try directory.write(RunDirectoryTests.files("1")) }
        #expect(scratch.names == ["there", "there/\(name)"])
    }

    @Test
    func refusesAFile() throws {
        try scratch.write("mine", to: "there")
        let directory = RunDirectory(path: scratch.path("there"))
        #expect(throws: RunDirectoryError.occupied(path: directory.path, by: .file)) {
            try directory.write(RunDirectoryTests.files("1"))
        }
        #expect(try scratch.text("there") == "mine")
    }

    @Test
    func saysWhatTheSystemRefuses() throws {
        try scratch.write("in the way", to: "file")
        let partial = "\(scratch.path)/file/.run.partial-\(getpid())"
        let error = RunDirectoryError.refused(step: "making the directory", path: partial, reason: "Not a directory")
        #expect(throws: error) {
            try RunDirectory(path: scratch.path("file/run")).write(RunDirectoryTests.files("1"))
        }
        #expect(scratch.names == ["file"])
    }

    @Test
    func aFailureHalfwayLeavesTheOldSet() throws {
        let directory = RunDirectory(path: scratch.path("run"))
        try directory.write(RunDirectoryTests.files("1"))
        let before = scratch.names
        let impossible = RunFiles(report: [], [("run.json", "2"), ("run.json/inside", "2")])
        let partial = "\(directory.path)/../.run.partial-\(getpid())/run.json/inside"
        let path = URL(fileURLWithPath: partial).standardizedFileURL.path
        #expect(throws: RunDirectoryError.refused(step: "writing", path: path, reason: "Not a directory")) {
            try directory.write(impossible)
        }
        #expect(scratch.names == before)
        #expect(try scratch.text("run/run.json") == "{\"run_id\": \"1\"}\n")
    }

    @Test
    func replacementInTwoStepsEndsTheSame() throws {
        try scratch.write("1", to: "run/run.json")
        let replacement = DirectoryReplacement(of: scratch.path("run"))
        try replacement.prepare()
        try replacement.write("2", to: "run.json")
        try replacement.replaceInTwoSteps()
        #expect(scratch.names == ["run", "run/run.json"])
        #expect(try scratch.text("run/run.json") == "2")
    }

    @Test
    func replacementInTwoStepsPutsTheOldSetBack() throws {
        try scratch.write("1", to: "run/run.json")
        // Without `prepare()` there is no new set to move into place.
        let replacement = DirectoryReplacement(of: scratch.path("run"))
        #expect(throws: RunDirectoryError.self) { try replacement.replaceInTwoSteps() }
        #expect(scratch.names == ["run", "run/run.json"])
    }

    @Test(.enabled(if: Loop.isFull))
    func timingStandsBeside() throws {
        let directory = RunDirectory(path: scratch.path("run"))
        let timing = Timing.ofThisProcess(wall: .seconds(2), events: 100, jobs: 2)
        try directory.write(RunDirectoryTests.files("1"), timing)
        let json = try JSONSerialization.jsonObject(with: Data(try scratch.text("run/timing.json").utf8))
        let told = try #require(json as? [String: Any])
        #expect(told["events_per_second"] as? Int == 50)
        #expect(told["wall_us"] as? Int == 2_000_000)
        #expect((told["peak_memory_bytes"] as? Int ?? 0) > 1 << 20)
        #expect((told["binary_hash"] as? String)?.count == 16)
        #expect(scratch.names.filter { $0.hasPrefix("run/t") } == ["run/timing.json"])
    }

    @Test(arguments: [
        (
            RunDirectoryError.occupied(path: "/r", by: .file),
            "results cannot be written to /r: it is a file, not a directory"
        ),
        (
            .refused(step: "writing", path: "/r/a", reason: "No space left on device"),
            "results cannot be written: writing /r/a failed: No space left on device"
        ),
    ])
    func errorsSayWhatWhereAndWhy(error: RunDirectoryError, text: String) {
        #expect(error.description == text)
    }
}
