import Hummingbird
import NIOCore
import Wire

extension Request {
    /// The bytes of the body.
    ///
    /// - Parameter limit: The most bytes.
    /// - Throws: ``RequestProblem`` where there are more.
    func bytes(limit: Int) async throws -> [UInt8] {
        if let text = headers[.contentLength], let length = Int(text), length > limit {
            throw Request.tooLarge("\(length) bytes", limit)
        }
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Request.tooLarge("more", limit)
        }
    }

    private static func tooLarge(_ got: String, _ limit: Int) -> RequestProblem {
        RequestProblem(.contentTooLarge, what: "body", got: got, allowed: "at most \(limit) bytes")
    }
}
