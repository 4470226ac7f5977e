import LoadGenerator
package import Shell
import Wire

/// The instances that a load creates on a Freshness Monitor: their names, and their removal.
package enum LoadInstances {
    /// The prefix of names in a monitor that has no other instances.
    package static let alone = "ride-"

    /// Returns the prefix of names that no other load and no app uses.
    ///
    /// - Parameters:
    ///   - run: The seed or the run id of the load.
    ///   - beganAt: The wall-clock time at its beginning [µs since 1970].
    package static func prefix(of run: String, beganAt: Int64) -> String {
        "load-\(run)-\(String(beganAt, radix: 36))-"
    }

    /// Withdraws the tokens of instances, several at a time, for a limited time.
    ///
    /// A monitor then sends nothing to them and forgets them like instances whose ride is over.
    ///
    /// - Parameters:
    ///   - patience: The longest time that it takes, whether the monitor answers or not.
    ///   - end: Informed that the load is over, for the message after a signal.
    /// - Returns: The number of instances whose withdrawal was not acknowledged.
    package static func withdraw(
        _ names: [String],
        from monitor: MonitorClient,
        patience: Duration = .seconds(30),
        of end: EarlyEnd = EarlyEnd()
    ) async -> Int {
        end.workIsOver(
            "its instances are being withdrawn from the monitor, for up to \(patience.components.seconds) s, before its results "
                + "are written"
        )
        let limit = ContinuousClock.now + patience
        let lanes = min(names.count, mostAtATime)
        return await withTaskGroup(of: Int.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var missing = 0
                    for index in stride(from: lane, to: names.count, by: lanes) {
                        missing += await isWithdrawn(names[index], from: monitor, by: limit) ? 0 : 1
                    }
                    return missing
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// Withdraws a token, again every second while the monitor answers 429; returns `true` if the monitor then does not
    /// watch the instance.
    private static func isWithdrawn(
        _ name: String,
        from monitor: MonitorClient,
        by limit: ContinuousClock.Instant
    ) async -> Bool {
        while case let left = limit - .now, left > .zero {
            let outcome = await monitor.result(of: .withdraw, about: name, body: nil, within: left).outcome
            guard case .answered(let answer) = outcome else { return false }
            // 421: the instance belongs to another shard, so this monitor refused its token.
            if answer.isAccepted || answer.status == 421 { return true }
            guard answer.status == 429, (try? await Task.sleep(until: min(limit, .now + .seconds(1)))) != nil else {
                return false
            }
        }
        return false
    }

    private static let mostAtATime = 32
}
