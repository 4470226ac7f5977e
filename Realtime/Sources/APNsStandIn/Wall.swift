import Foundation

/// The wall clock.
enum Wall {
    /// Since 1970 [µs].
    static func microseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    /// Since 1970 [s].
    static func seconds() -> Int64 { Int64(Date().timeIntervalSince1970) }
}
