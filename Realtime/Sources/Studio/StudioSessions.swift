import HTTPTypes
import Hummingbird
import PageServer
import Synchronization
import TextFormats

/// The open pages.
///
/// Each has a session for as long as it listens to events.
final class StudioSessions: Sendable {
    /// The maximum number of open pages; another page replaces the oldest one.
    ///
    /// A browser opens at most six connections to a server, and each page holds one for its events. A sixth page would
    /// leave none for any page's requests.
    private static let most = 5

    private struct State {
        var sessions: [(id: String, session: StudioSession)] = []
    }

    private let source: ScenarioOfStudio
    private let towns: Towns
    private let state = Mutex(State())

    /// Creates a collection without pages.
    init(source: ScenarioOfStudio, jobs: Int) {
        self.source = source
        towns = Towns(jobs: jobs)
    }

    /// Starts the session of a page that listens to events.
    ///
    /// The session ends with the response.
    ///
    /// A page that reads slowly loses its oldest events, but never this first one. No other event is sent before the
    /// page sends a request, and a request needs the session id from this event.
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

    /// Returns the session that a message belongs to.
    func session(of message: Message) throws -> StudioSession {
        let id = try message.text("session")
        guard let session = state.withLock({ $0.sessions.first { $0.id == id }?.session }) else {
            throw PageProblem(.gone, "this page has lost its session")
        }
        return session
    }
}
