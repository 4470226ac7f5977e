import Testing
import Wire

@Suite("Request ids")
struct RequestIDTests {
    @Test("The canonical form is written and read")
    func canonical() {
        let text = "01234567-89ab-cdef-0123-456789abcdef"
        let id = RequestID(canonical: text.utf8)
        #expect(id == RequestID(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))
        #expect(id?.canonical == text)
        #expect(id?.text(.uppercase) == text.uppercased())
    }

    @Test(
        "Any other text is refused",
        arguments: [
            "", "01234567-89AB-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef",
            "01234567-89ab-cdef-0123-456789abcde", "01234567-89ab-cdef-0123-456789abcdef0",
            "01234567-89ab-cdef-0123_456789abcdef", "0123456g-89ab-cdef-0123-456789abcdef",
        ]
    )
    func refuses(_ text: String) {
        #expect(RequestID(canonical: text.utf8) == nil)
    }

    @Test("A push's id carries the key of its draws")
    func key() {
        let id = RequestID(ride: .max, drawIndex: 0xFEDC_BA98, suffix: 7)
        #expect(id.ride == .max)
        #expect(id.drawIndex == 0xFEDC_BA98)
        #expect(RequestID(canonical: id.canonical.utf8) == id)
    }
}
