import LifecycleTraces
import LiveActivityModel
import Quantities

extension LifecycleScript {
    /// The thresholds and schedules in the form of a scenario.
    var monitor: Scenario.Monitor {
        var monitor = Scenario.Monitor()
        monitor.freshLimit = TimeSpan(microseconds: freshLimit)
        monitor.recoveryWindow = TimeSpan(microseconds: recoveryWindow)
        monitor.retry.maxAttempts = nil
        monitor.retry.schedule = retryOffsets.map(TimeSpan.init(microseconds:))
        monitor.retry.jitter = jitter
        monitor.retry.obeysFifteenMinutes = obeysFifteenMinutes
        monitor.endSchedule = endOffsets.map(TimeSpan.init(microseconds:))
        return monitor
    }
}
