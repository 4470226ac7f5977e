import Testing
import Wire

@Suite("Device tokens")
struct DeviceTokenTests {
    @Test(
        "Any even number of digits of either case is read",
        arguments: ["0a", "0A1b", String(repeating: "f", count: 160)]
    )
    func reads(_ text: String) {
        #expect(DeviceToken(hexadecimal: text.utf8)?.hexadecimal == text.lowercased())
    }

    @Test(
        "Any other text is refused",
        arguments: ["", "a", "abc", "0g", "0 ", "é0", String(repeating: "ab", count: 513)]
    )
    func refuses(_ text: String) {
        #expect(DeviceToken(hexadecimal: text.utf8) == nil)
    }

    @Test("A ride's token carries the key of its draws", arguments: [0, 1, 0x0123_4567_89AB_CDEF, UInt64.max])
    func carriesKey(_ ride: UInt64) {
        let token = DeviceToken(ride: ride, number: 0x89AB_CDEF)
        #expect(token.bytes.count == 80)
        #expect(token.ride == ride)
        #expect(token.number == 0x89AB_CDEF)
        #expect(DeviceToken(hexadecimal: token.hexadecimal.utf8) == token)
        #expect(token.namesRide)
        #expect(!DeviceToken(bytes: Array(token.bytes.dropLast())).namesRide)
    }

    @Test("A short token also has a ride and a number")
    func short() {
        let token = DeviceToken(bytes: [1, 2])
        #expect(token.ride == 0x0102_0000_0000_0000)
        #expect(token.number == 0)
    }
}
