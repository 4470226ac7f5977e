import LoadGenerator

/// The name that an app's server gives one Live Activity; the monitor uses it unchanged.
///
/// 1 to 64 characters that need no escape in a path: letters and digits of ASCII, `-`, `.`, `_`, `~`. One ride has one
/// id. A decision to end an instance is final, so another ride needs another id.
struct InstanceID: Hashable, Sendable {
    let text: String

    /// Reads a name; `nil` if it violates the rules.
    init?(_ text: some StringProtocol) {
        guard (1...InstanceID.longest).contains(text.utf8.count),
            text.utf8.allSatisfy({ InstanceID.isAllowed($0) })
        else { return nil }
        self.text = String(text)
    }

    static var longest: Int { 64 }
    /// The rule in words.
    static var rule: String { "1 to \(longest) of A-Z a-z 0-9 - . _ ~" }

    /// A number for the name, equal in every process (FNV-1a); the key of its random draws.
    var entity: UInt64 { text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }

    /// Returns `true` if the instance belongs to a shard: shard *k* of *n* has the instances whose number (FNV-1a, 64
    /// bits) modulo *n* is *k* - 1.
    func isOf(_ shard: LoadShare) -> Bool { entity % UInt64(shard.count) == UInt64(shard.number - 1) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
