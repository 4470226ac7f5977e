import Foundation

/// The system's time of day, which may jump.
package enum WallClock {
    /// The time since 1970 [µs].
    package static var microseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }

    /// The time since 1970 [s].
    package static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }
}
