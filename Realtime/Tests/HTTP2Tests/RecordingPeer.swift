import HTTP2
import NIOCore

/// Records its calls; on request it echoes the bodies of requests.
final class RecordingPeer: HTTP2Peer {
    private(set) var heard: [String] = []
    private(set) var bodies: [Int32: [UInt8]] = [:]
    private(set) var connection: HTTP2Connection?
    private(set) var isConnected = false
    private let answers: Bool
    /// `true` to grant the bytes of bodies again at once.
    var grants = true

    init(answers: Bool = false) {
        self.answers = answers
    }

    func take() -> [String] {
        defer { heard = [] }
        return heard
    }

    func connected(_ connection: HTTP2Connection, on loop: any EventLoop) {
        self.connection = connection
        isConnected = true
    }

    func headBegan(stream: Int32) {}

    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        heard.append("\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))")
    }

    func headEnded(stream: Int32, isLast: Bool) {
        heard.append("head \(stream)\(isLast ? " end" : "")")
        if isLast, answers { answer(stream) }
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        bodies[stream, default: []] += bytes
        if grants { connection?.consumed(bytes.count, stream: stream) }
    }

    func bodyEnded(stream: Int32) {
        heard.append("body \(stream) of \(bodies[stream]?.count ?? 0)")
        if answers { answer(stream) }
    }

    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode) {
        heard.append("reset \(stream) \(code.rawValue)")
    }

    func settingsReceived(streamLimit: Int?) {
        heard.append("streams \(streamLimit.map(String.init) ?? "any")")
    }

    func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer) {
        heard.append("go away after \(lastStream), \(code.rawValue) \(String(decoding: note, as: UTF8.self))")
    }

    func pingAnswered() {
        heard.append("pong")
    }

    func readCompleted() {}

    func failed(_ error: any Error) {
        heard.append("\(error)")
    }

    func disconnected() {
        connection = nil
        isConnected = false
    }

    private func answer(_ stream: Int32) {
        var fields = HTTP2Fields()
        fields.add(":status", "200")
        connection?.respond(fields, body: bodies[stream].map { ByteBuffer(bytes: $0) }, stream: stream)
    }
}
