import Foundation

/// The time of day, as the system has it; it may jump.
package enum WallClock {
    /// Since 1970 [µs].
    package static var microseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }

    /// Since 1970 [s].
    package static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }
}
