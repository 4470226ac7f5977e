import Foundation
import PageServer
import Testing

@testable import Studio

@Suite("Open pages")
struct StudioSessionsTests {
    @Test("A page needs the session from its first event before it can send a request")
    func needsItsSession() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID()).yaml")
        try Data("name: town\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sessions = StudioSessions(source: try ScenarioOfStudio(path: file.path, settings: []), jobs: 1)
        _ = sessions.open()
        #expect(throws: PageProblem.self) {
            try sessions.session(of: Message(Array(#"{"session":"another","ask":1}"#.utf8)))
        }
        #expect(throws: MessageError.self) { try sessions.session(of: Message(Array(#"{"ask":1}"#.utf8))) }
    }
}
