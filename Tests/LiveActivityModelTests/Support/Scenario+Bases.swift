import LiveActivityModel
import Quantities
import SimulationKernel

extension Distribution {
    /// A constant span.
    static func seconds(_ seconds: Double) -> Distribution { .constant(seconds * 1e6) }
}

extension Scenario.Budget {
    /// Creates a budget from the number of retries at once and the refill [retries per second].
    init(capacity: Double, perSecond: Double) {
        self.init()
        self.capacity = capacity
        self.perSecond = perSecond
    }
}

extension Scenario {
    /// One ride, requested at the start of the run; nothing fails, nothing takes time, and there is no monitor.
    ///
    /// Its stages have the given lengths [s]. The TTL of content is a minute; there are no refreshes.
    static func ride(_ stages: Double...) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(1)
        scenario.clock.drain = .hours(12)
        scenario.rides.arrivals.process = .even
        scenario.rides.stages = stages.enumerated().map { Stage(name: "s\($0)", duration: .seconds($1)) }
        scenario.content.ttl = .minutes(1)
        scenario.devices.initialContentLimit = nil
        scenario.monitor.enabled = false
        return scenario
    }

    /// The scenario with a number of simultaneous rides.
    func times(_ count: Int) -> Scenario {
        var scenario = self
        scenario.rides.arrivals.count = count
        return scenario
    }

    /// Four hundred rides of three stages, requested within five minutes and refreshed about every twenty seconds.
    static func crowd() -> Scenario {
        var scenario = Scenario.ride(60, 300, 60).times(400)
        scenario.rides.arrivals.spread = .seconds(300)
        scenario.clock.duration = .seconds(301)
        scenario.clock.drain = .seconds(600)
        scenario.content.refresh = .exponential(mean: 20e6)
        return scenario
    }

    /// Sets refreshes at fixed times after the request [s].
    mutating func update(at seconds: Double...) {
        content.updatesAt = seconds.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
    }

    /// Adds a fault from one time to another [s].
    mutating func fail(_ kind: Fault.Kind, from: Int64, to: Int64, share: Probability = .always) {
        var fault = Fault(kind: kind, at: .seconds(from), duration: .seconds(to - from))
        fault.share = share
        faults.append(fault)
    }

    /// Turns the monitor on: content lapses at its stale date, with retries at the given times after that [s].
    mutating func watch(retries: [Int64], recoveryWindow: Int64 = 100, ends: [Int64] = [0]) {
        monitor.enabled = true
        monitor.freshLimit = .zero
        monitor.recoveryWindow = .seconds(recoveryWindow)
        monitor.retry.maxAttempts = 100
        monitor.retry.schedule = retries.map { .seconds($0) }
        monitor.endSchedule = ends.map { .seconds($0) }
    }
}
