import FreshnessCore
import Testing

@testable import Wire

struct RequestFieldsTests {
    private typealias Head = [(String, String)]

    private static let push: Head = [
        (":method", "POST"), (":path", "/3/device/00"), ("apns-topic", "a.b.push-type.liveactivity"),
        ("apns-push-type", "liveactivity"),
    ]

    private static func take(_ head: Head, in fields: inout RequestFields) {
        fields.begin()
        for (name, value) in head { fields.take(name: name, value: value) }
    }

    @Test
    func takesWhatMeansSomething() {
        let rows: [(String, KeyPath<RequestFields, String?>)] = [
            ("authorization", \.authorization), ("apns-push-type", \.pushType), ("apns-topic", \.topic),
            ("apns-priority", \.priority), ("apns-expiration", \.expiration), ("apns-id", \.id),
            ("apns-request-id", \.requestID), ("apns-collapse-id", \.collapseID), ("apns-channel-id", \.channelID),
            ("content-encoding", \.contentEncoding),
        ]
        for (name, field) in rows {
            var fields = RequestFields()
            for other in ["x" + name.dropFirst(), name.dropLast() + "x", name + "x", "", "user-agent"] {
                fields.take(name: other, value: "other")
            }
            #expect(fields[keyPath: field] == nil)
            fields.take(name: name, value: "ü")
            #expect(fields[keyPath: field] == "ü")
            #expect(!fields.hasDuplicates)
            fields.take(name: name, value: "ü")
            #expect(fields.hasDuplicates)
            fields.begin()
            #expect(fields[keyPath: field] == nil)
            #expect(!fields.hasDuplicates)
        }
    }

    @Test
    func ofSeveralPathsAndMethodsTheLastCounts() {
        var fields = RequestFields()
        Self.take([(":path", "/a"), (":method", "GET"), (":path", "/b"), (":method", "POST")], in: &fields)
        #expect(fields.path == "/b")
        #expect(fields.method == "POST")
        #expect(!fields.hasDuplicates)
    }

    @Test
    func readsWhatIsNoUTF8Anew() {
        var fields = RequestFields()
        for _ in 0..<2 {
            fields.begin()
            [UInt8]("apns-topic".utf8)
                .withUnsafeBufferPointer { name in
                    [0x61, 0xFF].withUnsafeBufferPointer { fields.take(name: name, value: $0) }
                }
            #expect(fields.topic == "a\u{FFFD}")
        }
    }

    @Test
    func pathAndIDMakeNoVariant() {
        var fields = RequestFields()
        Self.take(Self.push, in: &fields)
        let variant = fields.variant
        let same: [Head] = [
            Self.push, Self.push + [(":path", "/3/device/11")], Self.push + [("apns-id", "1")],
            Self.push + [("apns-id", "2"), ("user-agent", "x")], Self.push.reversed(),
        ]
        for head in same {
            Self.take(head, in: &fields)
            #expect(fields.variant == variant)
        }
        Self.take(Self.push + [("apns-priority", "5")], in: &fields)
        #expect(fields.variant > variant)
    }

    /// For any sequence of heads, the result remembered from the last valid one gives the same verdicts as a check of
    /// all fields.
    @Test
    func whatIsKnownOfAVariantIsTrue() {
        let heads: [Head] = [
            Self.push, Self.push + [("apns-priority", "5")], Self.push + [("apns-topic", "a.b.push-type.liveactivity")],
            // Refused because its type is missing; and part of a head that ends in the middle.
            Array(Self.push.dropLast()), Self.push + [("apns-priority", "7")], [("apns-topic", "a.b")],
            Self.push.dropLast() + [("apns-push-type", "alert")],
        ]
        let rules = PushRules(bundleIDs: ["a.b"])
        for number in 0..<heads.count * heads.count * heads.count * heads.count {
            var fields = RequestFields()
            var known: (variant: Int, kind: PushKind)?
            var rest = number
            for _ in 0..<4 {
                let head = heads[rest % heads.count]
                rest /= heads.count
                Self.take(head, in: &fields)
                // Such heads are refused before these rules apply, or are incomplete.
                if fields.hasDuplicates || fields.method.isEmpty { continue }
                var alone = RequestFields()
                Self.take(head, in: &alone)
                let kind = known.flatMap { $0.variant == fields.variant ? $0.kind : nil }
                let verdict = rules.judge(fields, token: "00", known: kind)
                #expect(verdict == rules.judge(alone, token: "00"), "sequence \(number)")
                if case .accepted(let push) = verdict { known = (fields.variant, push.kind) }
            }
        }
    }
}
