import AsyncHTTPClient
import Foundation
import LoadGenerator
import NIOCore
import NIOPosix

extension APNsOutcome {
    /// The outcome of an HTTP request that failed with an error.
    ///
    /// A request without a connection was never sent: the server could not be reached, or every connection was in use.
    init(withoutAnswer error: any Error) {
        self =
            switch error {
            case let error as HTTPClientError where Self.timeouts.contains(error): .timedOut
            case let error as HTTPClientError where Self.waitsForConnection.contains(error): .notSent
            case is NIOConnectionError: .notSent
            case let error as IOError where error.errnoCode == ECONNREFUSED: .notSent
            default: .connectionLost
            }
    }

    /// A short description of the error that left an HTTP request without an answer.
    static func cause(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where waitsForConnection.contains(error): "no connection in time"
        case let error as HTTPClientError where timeouts.contains(error): "no answer in time"
        default: ConnectionCause.text(error)
        }
    }

    private static var timeouts: [HTTPClientError] { [.deadlineExceeded, .readTimeout, .writeTimeout] }

    /// Timeouts of a request that has no connection yet.
    private static var waitsForConnection: [HTTPClientError] { [.connectTimeout, .getConnectionFromPoolTimeout] }
}
