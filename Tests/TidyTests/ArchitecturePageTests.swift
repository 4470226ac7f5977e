import Foundation
import Testing

/// Names in docs/architecture.md, which the compiler cannot check.
@Suite("The page on the architecture")
struct ArchitecturePageTests {
    /// The Swift files of the programs and their tests, by path.
    private static let paths = Repository.files(
        below: ["Sources", "Realtime/Sources", "Tests", "Realtime/Tests"],
        endingWith: [".swift"]
    )

    /// The code quotations in the text of the page.
    private static func quotations() throws -> [Substring] {
        let page = String(decoding: try Repository.data(of: "docs/architecture.md"), as: UTF8.self)
        return page.split(separator: "\n").flatMap { $0.matches(of: #/`([^`]+)`/#).map(\.output.1) }
    }

    @Test("Every file and folder that the page names exists")
    func files() throws {
        for name in try Self.quotations() {
            if name.hasSuffix(".swift") {
                let isThere = Self.paths.contains { $0 == name || $0.hasSuffix("/\(name)") }
                #expect(isThere || name == "Package.swift", "\(name)")
            } else if name.contains(#/^(Sources|Tests|Realtime|scripts|docs)\//#) {
                let url = Repository.root.appending(path: String(name))
                #expect(FileManager.default.fileExists(atPath: url.path), "\(name)")
            }
        }
    }

    @Test("Every function that the page names is declared in the core, the kernel or the model")
    func functions() throws {
        let folders = ["Sources/FreshnessCore", "Sources/LiveActivityModel", "Sources/SimulationKernel"]
        let code = try Repository.files(below: folders, endingWith: [".swift"])
            .reduce(into: Data()) { try $0.append(Repository.data(of: $1)) }
        let named = try Self.quotations()
            .compactMap { $0.wholeMatch(of: #/(?:[A-Z][A-Za-z]+\.)?([a-z][A-Za-z]*)\(\)/#)?.output.1 }
        #expect(named.count > 10)
        for name in named {
            let declaration = code.range(of: Data("func \(name)(".utf8))
            #expect(declaration != nil, "\(name)")
        }
    }
}
