import Testing

@testable import ScenarioLanguage

@Suite("Descriptions of keys")
struct KeyDescriptionTests {
    @Test("Meaning, allowed values and default come from the tables that read scenarios")
    func keys() throws {
        let ttl = try #require(KeyDescription.named("content.ttl"))
        #expect(ttl.meaning == "Time from the generation of content to its stale date.")
        #expect(ttl.allowed.hasPrefix("a duration: ") && ttl.usual == "3m" && !ttl.isSection)
        let streams = try #require(KeyDescription.named("sender.streams"))
        #expect(streams.allowed == "a whole number, 1 to 10000000")
        #expect(KeyDescription.named("apns.storage")?.allowed == "none, one, one_per_phone, all")
        #expect(KeyDescription.named("devices.initial_content_limit")?.allowed.hasSuffix(", or off") ?? false)
        #expect(KeyDescription.named("faults.2.kind") == KeyDescription.named("faults.N.kind"))
        #expect(KeyDescription.named("rides.stages.N.duration")?.usual == nil)
        #expect(KeyDescription.named("content")?.isSection ?? false)
    }

    @Test("Every key has a meaning and its allowed values, and is listed once")
    func complete() {
        let all = KeyDescription.all
        #expect(all.count > 200)
        for key in all {
            #expect(!key.meaning.isEmpty && !key.allowed.isEmpty, "\(key.path)")
            #expect(!key.allowed.contains("$"), "\(key.path): \(key.allowed)")
        }
        #expect(Set(all.map(\.path)).count == all.count)
    }

    @Test("A pattern matches parts of paths and meanings; one without a match gets the nearest key")
    func patterns() {
        func paths(_ pattern: String) -> [String] { KeyDescription.all.filter { $0.matches(pattern) }.map(\.path) }
        #expect(paths("monitor.retry.*").allSatisfy { $0.hasPrefix("monitor.retry.") })
        #expect(paths("monitor.retry.*").contains("monitor.retry.budget"))
        #expect(paths("stale date").contains("content.ttl"))
        #expect(paths("ttll").isEmpty)
        #expect(KeyDescription.advice(for: "ttll") == "did you mean \"ttl\"?")
        #expect(KeyDescription.advice(for: "content.tll") == "did you mean \"content.ttl\"?")
        #expect(KeyDescription.advice(for: "zzzz") == "`freshet describe` lists all of them")
    }
}
