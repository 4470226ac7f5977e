import CommandTestSupport
import HTTPTypes
import LoadGenerator
import Quantities
import TestSupport
import Testing
import Wire

@testable import MonitorServer

@Suite("Monitors that share the instances")
struct MonitorShardTests {
    @Test("Each instance belongs to one shard, by the documented rule, and shards are about equal in size")
    func hash() throws {
        // FNV-1a, 64 bits: test vectors of its authors.
        #expect(try #require(InstanceID("a")).entity == 0xAF63_DC4C_8601_EC8C)
        #expect(try #require(InstanceID("foobar")).entity == 0x8594_4171_F739_67E8)
        for count in [2, 3, 8] {
            var sizes = [Int](repeating: 0, count: count)
            for number in 0..<8000 {
                let id = try #require(InstanceID("ride-\(number)"))
                let own = (1...count).filter { id.isOf(LoadShare($0, of: count)) }
                #expect(own.count == 1)
                sizes[own[0] - 1] += 1
            }
            let even = 8000 / count
            #expect(sizes.allSatisfy { abs($0 - even) < even / 10 }, "\(sizes)")
        }
    }

    @Test("Every request about an instance of another shard is answered with 421, and does nothing")
    func misdirected() async throws {
        var limits = MonitorLimits()
        limits.shard = LoadShare(1, of: 2)
        let ids = (0..<50).map { "ride-\($0)" }
        let other = try #require(ids.first { InstanceID($0)?.isOf(limits.shard) == false })
        let own = try #require(ids.first { InstanceID($0)?.isOf(limits.shard) == true })
        let token = #"{"token":"\#(DeviceToken(ride: 3, number: 1).hexadecimal)"}"#
        let fixture = try MonitorFixture(limits: limits)
        try await fixture.whileServing { client in
            #expect(try await client.send(.put, "/v1/instances/\(own)/token", token).status == 201)
            let requests: [(HTTPRequest.Method, String)] = [
                (.put, "/token"), (.delete, "/token"), (.put, "/content"), (.post, "/end"), (.get, ""),
            ]
            for (method, path) in requests {
                let body = method == .get ? nil : token
                let answer = try await client.send(method, "/v1/instances/\(other)\(path)", body)
                #expect(answer.status == 421, "\(method) \(path)")
                let words =
                    #"{"error":{"status":421,"what":"instance \#(other)","got":"an instance of another shard","#
                    + #""allowed":"instances of shard 1/2"}}"#
                #expect(answer.text == words + "\n")
            }
        }
        #expect(try Registry(path: fixture.scratch.path("tokens.sqlite")).load().map(\.id.text) == [own])
    }

    @Test("A registry that holds an instance of another shard is refused at the start")
    func otherRegistry() async throws {
        let scratch = Scratch()
        let path = scratch.path("tokens.sqlite")
        let registry = try Registry(path: path)
        let id = try #require(InstanceID("ride-1"))
        let token = DeviceToken(ride: 1, number: 1)
        _ = try await registry.write(.publish(id, .token(token), shown: nil, at: .start))
        let shards = (1...2).map { LoadShare($0, of: 2) }
        for shard in shards where id.isOf(shard) { #expect(try registry.load(of: shard).count == 1) }
        for shard in shards where !id.isOf(shard) {
            #expect(throws: RegistryError.otherShard(path: path, instance: "ride-1", shard: shard.text)) {
                try registry.load(of: shard)
            }
        }
        await registry.close()
    }
}
