import CommandTestSupport
import Foundation
import FreshnessCore
import TestSupport
import Testing
import Wire

@testable import MonitorServer

#if os(Linux)
/// A registry on a full disk: acknowledged changes are on it, all others get 503, and free space restores the service.
@Suite("A full disk") struct FullDiskTests {
    /// `true` if small disks can be created, which requires root.
    private static let canMount = geteuid() == 0

    @Test(
        "503 while it is full, 200 and 201 once there is room, and nothing acknowledged is lost",
        .enabled(if: canMount)
    )
    func fullDisk() async throws {
        let scratch = Scratch()
        let disk = scratch.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk) else {
            print("no tmpfs can be mounted here: the test of a full disk is left out")
            return
        }
        defer { _ = run("umount", "-l", disk) }
        let tally = HostileTally("full disk: freshet monitor", checks: 5)
        let ballast = disk + "/ballast"
        try Data(count: 500_000).write(to: URL(filePath: ballast))
        let registry = disk + "/tokens.sqlite"
        let process = try await MonitorProcess(scratch: scratch, apnsPort: 1, arguments: ["--registry", registry])
        let client = try MonitorClient(port: process.port)
        var acknowledged: [Int] = []
        var failures = 0
        func publish(_ number: Int) async throws -> Int {
            let token = DeviceToken(ride: 1, number: UInt32(number)).hexadecimal
            return try await client.send("PUT", "/v1/instances/r\(number)/token", "{\"token\":\"\(token)\"}")
        }
        var others: Set<Int> = []
        for number in 0..<5000 where failures < 20 {
            switch try await publish(number) {
            case 201: acknowledged.append(number)
            case 503: failures += 1
            case let status: others.insert(status)
            }
        }
        #expect(tally.counts(failures == 20 && others.isEmpty), "\(failures) × 503, \(others)")
        #expect(tally.counts(acknowledged.count > 10), "\(acknowledged.count)")
        #expect(tally.counts(try await client.send("GET", "/health") == 200))
        try FileManager.default.removeItem(atPath: ballast)
        for number in 5000..<5010 where try await publish(number) == 201 { acknowledged.append(number) }
        #expect(tally.counts(acknowledged.suffix(10) == Array(5000..<5010)[...]), "\(acknowledged.suffix(10))")
        process.kill()
        let stored = try Registry(path: registry).load()
        let tokens = Dictionary(uniqueKeysWithValues: stored.map { ($0.id.text, $0.token?.token) })
        let lost = acknowledged.filter { tokens["r\($0)"] != DeviceToken(ride: 1, number: UInt32($0)) }
        tally.tells("\(acknowledged.count) acknowledged, \(lost.count) lost, \(failures) refused while it was full")
        #expect(tally.counts(lost.isEmpty), "\(lost.count) of \(acknowledged.count)")
    }

    private func run(_ arguments: String...) -> Bool {
        let process = Command.process(arguments, program: "/usr/bin/env")
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
#endif
