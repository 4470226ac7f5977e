import Foundation
import PageServer
import TestSupport
import Testing

@testable import Studio

@Suite("Open pages")
struct StudioSessionsTests {
    @Test("A page needs the session from its first event before it can send a request")
    func needsItsSession() throws {
        let scratch = Scratch()
        let file = try scratch.write("name: town\n", to: "town.yaml")
        let sessions = StudioSessions(source: try ScenarioOfStudio(path: file, settings: []), jobs: 1)
        _ = sessions.open()
        #expect(throws: PageProblem.self) {
            try sessions.session(of: Message(Array(#"{"session":"another","ask":1}"#.utf8)))
        }
        #expect(throws: MessageError.self) { try sessions.session(of: Message(Array(#"{"ask":1}"#.utf8))) }
    }
}
