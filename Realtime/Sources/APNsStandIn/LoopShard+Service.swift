import FreshnessCore
import LiveActivityModel
import NIOCore
import Quantities
import Wire

/// Requests at APNs' servers, if the scenario limits their capacity.
extension LoopShard {
    /// Queues an acceptable request for a server.
    func queue(_ push: PendingPush, for asker: PushAsker, at servers: ServerQueue, since instant: Instant) {
        tally.queued += 1
        var connectionID: ObjectIdentifier?
        if case .connection(let connection, let stream) = asker {
            connection.awaits(stream: stream)
            connection.hasQueued = true
            connectionID = ObjectIdentifier(connection)
        }
        servers.join(
            ServerQueue.Job(
                push: push,
                since: instant,
                run: runs,
                home: NIOLoopBound(self, eventLoop: loop),
                asker: NIOLoopBound(asker, eventLoop: loop),
                connection: connectionID
            )
        )
    }

    /// Handles a request that the servers return.
    func receive(_ job: ServerQueue.Job, _ outcome: ServerQueue.Outcome) {
        tally.served += 1
        let (push, asker) = (job.push, job.asker.value)
        switch outcome {
        case .served(let end):
            // Requests of an earlier run no longer count.
            guard job.run == runs, let rules = configuration.apns else { return }
            served(push, for: asker, rules, since: job.since, at: end)
        case .discarded:
            _ = asker.isWaiting
            tally.silenced += 1
            unanswered(push)
            void(push)
        case .connectionLost:
            tally.unheard += 1
            unanswered(push)
            void(push)
        case .overflowed:
            void(push)
            if asker.isWaiting { refuse(asker, .push(.serviceUnavailable), push, since: nil) }
            if case .connection(let connection, _) = asker { connection.flush() }
        }
        endTurnSoon()
    }

    private func served(_ push: PendingPush, for asker: PushAsker, _ rules: APNsRules, since: Instant, at end: Instant)
    {
        var request = push.request
        request.tokenDeadSince = death(of: push, at: end)
        guard case .accepted(let travel, let passage) = apns.served(request, rules, at: end) else { return }
        if let passage { follow(push, passage, for: asker, at: end) }
        let reception = APNsStation.Reception.accepted(after: end - since + travel, passage)
        schedule(.response(asker, reception, push), at: clock.deadline(of: end + travel))
    }
}
