import LoadGenerator
import NIOCore
import Testing

@Suite struct PayloadTemplateTests {
    @Test(arguments: [200, 500, 4096])
    func isAsLongAsItShall(byteCount: Int) {
        let payload = PayloadTemplate.update(byteCount: byteCount).payload(unixSeconds: 1_700_000_000)
        #expect(payload.readableBytes == byteCount)
        #expect(String(buffer: payload).contains(#""timestamp":1700000000,"#))
    }

    @Test func aDocumentStaysAsItIs() {
        #expect(String(buffer: PayloadTemplate.document("{}").payload(unixSeconds: 5)) == "{}")
    }
}
