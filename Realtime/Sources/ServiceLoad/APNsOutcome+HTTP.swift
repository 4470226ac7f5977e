import AsyncHTTPClient
import Foundation
import LoadGenerator
import NIOCore
import NIOPosix

extension APNsOutcome {
    /// Why a request over HTTP had no answer.
    ///
    /// What had no connection was never sent: there was nothing to ask, or every connection was taken.
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

    /// Why a request over HTTP had no answer, in a few words.
    static func cause(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where waitsForConnection.contains(error): "no connection in time"
        case let error as HTTPClientError where timeouts.contains(error): "no answer in time"
        default: ConnectionCause.text(error)
        }
    }

    private static var timeouts: [HTTPClientError] { [.deadlineExceeded, .readTimeout, .writeTimeout] }

    /// Time-outs of a request that had no connection yet.
    private static var waitsForConnection: [HTTPClientError] { [.connectTimeout, .getConnectionFromPoolTimeout] }
}
