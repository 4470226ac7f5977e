import LiveActivityModel
import NIOCore
import Quantities

/// APNs' servers where the scenario's have a capacity: a queue for each cell, for the requests of all threads.
///
/// It lives on one loop; others hand requests over and get them back when they have been served. A timer for each service:
/// servers are few. Services follow each other at the instants at which they end, not at those at which timers ring, so a
/// machine that is late does not slow the servers down.
final class ServiceDesk: Sendable {
    /// Where it lives.
    let loop: any EventLoop
    private let conduct: APNsConduct
    private let state: NIOLoopBoundBox<State>

    /// A request in the queue.
    struct Ticket: Sendable {
        let push: PendingPush
        /// When it came.
        let since: Instant
        /// In which run of its home's.
        let run: Int
        /// Who gets it back, and the asker there.
        let home: NIOLoopBound<LoopShard>
        let asker: NIOLoopBound<PushAsker>
        /// On which connection it came; nil for one from this process.
        let connection: ObjectIdentifier?
        /// Whether that connection is lost, so that no server takes it up.
        var isGone = false
    }

    private struct State: Sendable {
        var clock: RunClock
        var queues: [APNsQueue]
        var tickets: [UInt32: Ticket] = [:]
        var next: UInt32 = 0
        /// Which run it is: timers of an earlier one mean nothing.
        var run = 0
    }

    /// The queues of a scenario's APNs; nil where it has room for every request at once.
    init?(_ conduct: APNsConduct, clock: RunClock, on loop: any EventLoop) {
        guard let queue = conduct.queue() else { return nil }
        self.loop = loop
        self.conduct = conduct
        let queues = [APNsQueue](repeating: queue, count: conduct.cells)
        state = .makeBoxSendingValue(State(clock: clock, queues: queues), eventLoop: loop)
    }

    /// A request joins the queue of its cell.
    func join(_ ticket: Ticket) {
        run { desk in
            let cell = desk.conduct.cell(of: ticket.push.request)
            let number = desk.state.value.next
            desk.state.value.next &+= 1
            desk.state.value.tickets[number] = ticket
            desk.state.value.queues[cell].joined(number)
            desk.serve(cell, from: ticket.since)
        }
    }

    /// A connection is lost: what has begun is finished, what waits is not taken up.
    func connectionLost(_ connection: ObjectIdentifier) {
        run { desk in
            for (number, ticket) in desk.state.value.tickets where ticket.connection == connection {
                desk.state.value.tickets[number]?.isGone = true
            }
        }
    }

    /// A run begins, with nothing from before.
    func begin(_ clock: RunClock) {
        run { desk in
            let old = desk.state.value
            let queues = [APNsQueue](repeating: desk.conduct.queue() ?? old.queues[0], count: old.queues.count)
            desk.state.value = State(clock: clock, queues: queues, run: old.run + 1)
        }
    }

    private func run(_ work: @escaping @Sendable (ServiceDesk) -> Void) {
        if loop.inEventLoop {
            work(self)
        } else {
            loop.execute { work(self) }
        }
    }

    /// Gives the waiting requests of a cell to servers that are free since an instant.
    private func serve(_ cell: Int, from instant: Instant) {
        while let number = conduct.next(of: &state.value.queues[cell]) {
            guard let ticket = state.value.tickets[number] else {
                state.value.queues[cell].served()
                continue
            }
            let begin = max(instant, ticket.since)
            if ticket.isGone || conduct.isDiscarded(sentAt: ticket.since, at: begin) {
                state.value.queues[cell].served()
                state.value.tickets[number] = nil
                giveBack(ticket, servedAt: nil)
                continue
            }
            let end = conduct.endOfService(ticket.push.request, at: begin)
            let clock = state.value.clock
            let run = state.value.run
            loop.scheduleTask(deadline: clock.deadline(after: end - .start, from: clock.begin)) { [self] in
                serviceEnded(number, cell, at: end, run: run)
            }
        }
    }

    private func serviceEnded(_ number: UInt32, _ cell: Int, at end: Instant, run: Int) {
        guard run == state.value.run else { return }
        state.value.queues[cell].served()
        if let ticket = state.value.tickets.removeValue(forKey: number) {
            giveBack(ticket, servedAt: end)
        }
        serve(cell, from: end)
    }

    private func giveBack(_ ticket: Ticket, servedAt end: Instant?) {
        let home = ticket.home
        if home.eventLoop.inEventLoop {
            home.value.receive(ticket, servedAt: end)
        } else {
            home.eventLoop.execute { home.value.receive(ticket, servedAt: end) }
        }
    }
}
