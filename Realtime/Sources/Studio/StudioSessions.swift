import HTTPTypes
import Hummingbird
import PageServer
import Synchronization
import TextFormats

/// The pages that are open: each has a session for as long as it listens.
final class StudioSessions: Sendable {
    /// How many pages may be open; the one that was opened first gives way to another.
    ///
    /// A browser opens six connections to a server, and each page holds one for its events: a sixth page would leave none
    /// for any page's questions.
    private static let most = 5

    private struct State {
        var sessions: [(id: String, session: StudioSession)] = []
    }

    private let source: ScenarioOfStudio
    private let towns: Towns
    private let state = Mutex(State())

    /// No page.
    init(source: ScenarioOfStudio, jobs: Int) {
        self.source = source
        towns = Towns(jobs: jobs)
    }

    /// A page listens: its session begins, and ends with the answer.
    ///
    /// A page that reads slowly loses its oldest events, yet never this first one: nothing else is told before the page
    /// asks, and it asks by the session that it has read here.
    func open() -> Response {
        let session = StudioSession(source: source, towns: towns)
        let id = PageServer.drawnSecret()
        let surplus = state.withLock { state in
            state.sessions.append((id, session))
            return state.sessions.count > Self.most ? state.sessions.removeFirst().session : nil
        }
        if let surplus { Task { await surplus.giveWay() } }
        var json = JSONText()
        json.add("session", id)
        session.events.send("session", json.document)
        return session.events.response { [self] in
            state.withLock { $0.sessions.removeAll { $0.id == id } }
            Task { await session.end() }
        }
    }

    /// The session of a message.
    func session(of message: Message) throws -> StudioSession {
        let id = try message.text("session")
        guard let session = state.withLock({ $0.sessions.first { $0.id == id }?.session }) else {
            throw PageProblem(.gone, "this page has lost its session")
        }
        return session
    }
}
