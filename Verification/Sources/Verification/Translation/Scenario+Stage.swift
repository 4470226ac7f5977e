import LiveActivityModel
import Quantities
import SimulationKernel

/// The base scenarios of cases, in which everything that a case does not mention is disabled.
extension Scenario {
    /// A world in which nothing fails, ends or expires on its own.
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

    /// Sets one activity that lasts for the whole run, whose ETA refreshes are the arrivals of a system in its steady
    /// state.
    ///
    /// - Parameters:
    ///   - warmUp: The time after which the empty initial state no longer matters.
    ///   - length: The length of the measurement after that.
    mutating func setSteadyState(warmUp: TimeSpan, length: TimeSpan) {
        rides.arrivals.process = .even
        monitor.enabled = false
        clock.warmUp = warmUp
        setLength(warmUp + length)
    }

    /// Activities that start at random instants and each have one episode of staleness.
    ///
    /// No update follows the first content. It lapses only after all starts and all possible consequences of a lapse,
    /// so the content of an attempt lapses after the end of the run.
    ///
    /// - Parameters:
    ///   - count: The mean number of activities.
    ///   - longest: The maximum length of an episode with its consequences.
    mutating func setEpisodes(count: Double = Translator.episodeCount, longest: TimeSpan) {
        let starts = TimeSpan.seconds(3600)
        rides.arrivals.ratesPerHour = [count]
        content.ttl = starts + longest + .seconds(1)
        clock.duration = starts
        clock.drain = content.ttl + longest
        clock.window = starts + clock.drain
    }

    /// Sets the run's length, with one window for all of it.
    mutating func setLength(_ length: TimeSpan) {
        clock.duration = length
        clock.window = length
    }
}
