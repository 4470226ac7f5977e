import LiveActivityModel
import SimulationKernel

/// Tells versions of the model apart, so that no result is made of parts that do not belong together.
///
/// A version number would have to be kept by hand, and be forgotten; so the beginning of one history is run. What is
/// measured of a history is not seen by it: ``TaskFile/measures`` differs with that.
enum ModelProbe {
    /// How many turns of how many events are run: enough that every mechanism of a busy cell has had its turn, some
    /// milliseconds.
    private static let (turns, events) = (16, 1024)

    /// The hash of the beginning of a world's first history.
    static func fingerprint(of world: World) -> UInt64 {
        var group = CellGroup(world: world, cells: 0..<1, replication: 0)
        for _ in 0..<turns {
            guard group.run(atMost: events) else { break }
        }
        var hash = group.firstFingerprint
        hash.combine(group.eventCount)
        return hash.value
    }
}
