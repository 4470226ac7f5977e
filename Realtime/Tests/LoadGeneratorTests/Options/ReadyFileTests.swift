import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import TestSupport
import Testing

struct ReadyFileTests {
    @Test("A ready file is read as it is written, with the stand-in's faults in wall-clock time")
    func faults() throws {
        var fault = Scenario.Fault(kind: .apnsSlow, at: .minutes(2))
        fault.duration = .minutes(1)
        var ready = ReadyFile(port: 7, pid: 3)
        ready.faults = [ReadyFile.Fault(fault, since: 1_000_000_000, speed: 60)]
        #expect(ready.faults.map(\.begins) == [1_002_000_000] && ready.faults.map(\.ends) == [1_003_000_000])
        let scratch = Scratch()
        let file = scratch.url.appending(path: "ready.json").path
        try ready.write(to: file)
        let read = try ReadyFile.reading(file)
        #expect(read.port == 7 && read.pid == 3 && read.faults == ready.faults)
        ready.faults = []
        try ready.write(to: file)
        #expect(try ReadyFile.reading(file).faults.isEmpty)
        #expect(try !String(contentsOf: URL(filePath: file), encoding: .utf8).contains("faults"))
    }
}
