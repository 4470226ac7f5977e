import LiveActivityModel
import Quantities
import SimulationKernel

/// The empty stages on which cases are played: everything that a case does not speak of is switched off.
extension Scenario {
    /// A world in which nothing fails, ends or expires by itself.
    static func bare(_ name: String) -> Scenario {
        var scenario = Scenario()
        scenario.name = "verify-\(name)"
        scenario.rides.stages = [Stage(name: "ride", duration: .constant(Double(TimeSpan.longest.microseconds)))]
        scenario.devices.initialContentLimit = nil
        scenario.devices.systemLimit = .longest
        scenario.apns.expiration = .zero
        scenario.sender.timeout = .longest
        scenario.monitor.feedback = .delivery
        scenario.monitor.freshLimit = .zero
        scenario.monitor.recoveryWindow = .longest
        scenario.monitor.retry.maxAttempts = 0
        return scenario
    }

    /// One activity that lasts as long as the run, whose ETA refreshes are the arrivals of a system in its steady state.
    ///
    /// - Parameters:
    ///   - warmUp: How long the system needs to forget that it began empty.
    ///   - length: How long it is watched after that.
    static func steadyState(_ name: String, refresh: Distribution, warmUp: TimeSpan, length: TimeSpan) -> Scenario {
        var scenario = bare(name)
        scenario.rides.arrivals.process = .even
        scenario.content.refresh = refresh
        scenario.monitor.enabled = false
        scenario.clock.warmUp = warmUp
        scenario.setLength(warmUp + length)
        return scenario
    }

    /// Activities that are started at random instants, each of which runs into one episode of staleness.
    ///
    /// No update follows the first content, so that it lapses as late after the start as all starts take together with
    /// all that may follow a lapse: what an attempt brings lapses only when the run is over.
    ///
    /// - Parameters:
    ///   - count: How many activities on average.
    ///   - longest: How long an episode with its consequences lasts at most.
    static func episodes(_ name: String, count: Double, longest: TimeSpan) -> Scenario {
        var scenario = bare(name)
        let starts = TimeSpan.seconds(3600)
        scenario.rides.arrivals.ratesPerHour = [count]
        scenario.content.ttl = starts + longest + .seconds(1)
        scenario.clock.duration = starts
        scenario.clock.drain = scenario.content.ttl + longest
        scenario.clock.window = starts + scenario.clock.drain
        return scenario
    }

    /// Sets the run's length, with one window for all of it.
    mutating func setLength(_ length: TimeSpan) {
        clock.duration = length
        clock.window = length
    }
}
