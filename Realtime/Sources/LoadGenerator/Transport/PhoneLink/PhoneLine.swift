import HTTP2
import NIOCore
import Quantities
import Wire

/// A phone line: one stream on its own connection, with lines of ASCII in both directions.
final class PhoneLine {
    private let fields: HTTP2Fields
    private let listener: any PhoneLinkListener
    private let begun: EventLoopPromise<Void>
    private let firstLine: String
    private var http2: HTTP2Connection?
    private var stream: Int32 = 0
    private var partial = ByteBuffer()
    private var news: [PhoneNews] = []
    private var status = "none"
    private var isBegun = false
    private var isOver = false

    /// The flow-control window [bytes], so large that a burst of pushes does not wait for a round trip.
    private static let window = 4 << 20

    init(
        endpoint: APNsEndpoint,
        secret: String?,
        firstLine: String,
        listener: any PhoneLinkListener,
        begun: EventLoopPromise<Void>
    ) {
        var fields = HTTP2Fields()
        fields.add(":method", "POST")
        fields.add(":scheme", endpoint.trust == nil ? "http" : "https")
        fields.add(":path", PhonesLine.path)
        fields.add(":authority", endpoint.authority)
        if let secret { fields.add("authorization", "bearer \(secret)", isIndexed: false) }
        self.fields = fields
        self.firstLine = firstLine
        self.listener = listener
        self.begun = begun
    }

    /// The initial settings.
    static var http2Configuration: HTTP2Configuration {
        var configuration = HTTP2Configuration(
            role: .client,
            settings: [.push(false), .streams(0), .streamWindow(window), .head(16_384)]
        )
        configuration.connectionWindow = window
        return configuration
    }

    /// Sends lines, each with its line end.
    func say(_ lines: String) {
        guard !isOver, let http2 else { return }
        http2.append(ByteBuffer(string: lines), isLast: false, stream: stream)
        http2.flush()
    }

    /// Closes the line.
    func end() {
        guard !isOver, let http2 else { return }
        http2.append(ByteBuffer(string: PhoneReport.end.line), isLast: true, stream: stream)
        isOver = true
        http2.flush()
        http2.close()
    }

    private func readLines() {
        while let end = partial.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let length = end - partial.readerIndex
            partial.withUnsafeReadableBytes { read(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
            partial.moveReaderIndex(to: end + 1)
        }
        partial.discardReadBytes()
    }

    private func read(_ line: UnsafeRawBufferPointer) {
        if let item = PhoneNews(line: line) {
            news.append(item)
            return
        }
        let reply = PhoneLineReply(line: line)
        if reply == .begun, !isBegun {
            isBegun = true
            begun.succeed()
        } else {
            begun.fail(reply == .busy ? PhoneLinkError.busy : PhoneLinkError.unreadable)
            http2?.close()
        }
    }
}

extension PhoneLine: HTTP2Peer {
    func connected(_ connection: HTTP2Connection, on loop: any EventLoop) {
        http2 = connection
        stream = connection.requestWithOpenBody(fields)
        say(firstLine)
    }

    func headBegan(stream: Int32) { status = "none" }

    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if name.elementsEqual(":status".utf8) { status = String(decoding: value, as: UTF8.self) }
    }

    func headEnded(stream: Int32, isLast: Bool) {
        if status != "200" { begun.fail(PhoneLinkError.refused(status: status)) }
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        http2?.consumed(bytes.count, stream: stream)
        partial.writeBytes(bytes)
        readLines()
    }

    func bodyEnded(stream: Int32) { http2?.close() }

    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode) { http2?.close() }

    func readCompleted() {
        guard !news.isEmpty else { return }
        let heard = news
        news.removeAll(keepingCapacity: true)
        listener.heard(heard)
    }

    func failed(_ error: any Error) { http2?.close() }

    func disconnected() {
        http2 = nil
        begun.fail(PhoneLinkError.closed)
        listener.hungUp(asWished: isOver)
        isOver = true
    }
}
