import LiveActivityModel
import NIOCore
import Quantities

/// Requests at APNs' servers, where the scenario gives these a capacity.
extension LoopShard {
    /// An acceptable request waits for a server.
    func queue(_ push: PendingPush, for asker: PushAsker, at desk: ServiceDesk, since instant: Instant) {
        tally.queued += 1
        var connectionID: ObjectIdentifier?
        if case .connection(let connection, let stream) = asker {
            connection.awaits(stream: stream)
            connectionID = ObjectIdentifier(connection)
        }
        desk.join(
            ServiceDesk.Ticket(
                push: push,
                since: instant,
                run: runs,
                home: NIOLoopBound(self, eventLoop: loop),
                asker: NIOLoopBound(asker, eventLoop: loop),
                connection: connectionID
            )
        )
    }

    /// A request comes back from the servers.
    ///
    /// - Parameter end: The instant at which its service ended; nil if nobody served it, and nobody hears of it.
    func receive(_ ticket: ServiceDesk.Ticket, servedAt end: Instant?) {
        guard ticket.run == runs, let conduct = configuration.conduct else { return }
        tally.served += 1
        let push = ticket.push
        guard let end else {
            tally.silenced += 1
            outbox.void(push.id)
            endTurn()
            return
        }
        let deadline = clock.deadline(after: end - .start, from: clock.begin)
        if !conduct.decidesWithResponse {
            decide(push, conduct, at: deadline)
            endTurn()
        }
        let travel = conduct.responseTime(push.request, at: end)
        let answer = APNsConduct.Answer.accepted(after: end - ticket.since + travel)
        schedule(.response(ticket.asker.value, answer, push), at: clock.deadline(after: travel, from: deadline))
    }
}
