import Foundation
import TestSupport
import Testing

@testable import Studio

@Suite("The file that redirects a browser to the studio")
struct RedirectPageTests {
    @Test(
        "It is in the login's directory, else the user's cache, else the temporary files; its directory is removed with it",
        arguments: [
            (["XDG_RUNTIME_DIR": "a", "XDG_CACHE_HOME": "b"], "a/"),
            (["XDG_RUNTIME_DIR": "no", "XDG_CACHE_HOME": "b"], "b/"),
            (["HOME": "home"], "home/.cache/"), (["XDG_RUNTIME_DIR": "no", "HOME": "no"], nil),
        ]
    )
    func places(names: [String: String], expected: String?) throws {
        let (files, scratch) = (FileManager.default, Scratch())
        for name in ["a", "b", "home/.cache"] { try scratch.makeDirectory(name) }
        let page = try #require(RedirectPage(to: "http://127.0.0.1:1/x/", names.mapValues(scratch.path)))
        let path = try #require(URL(string: page.address)?.path)
        let place = expected.map(scratch.path) ?? files.temporaryDirectory.path
        #expect(path.hasPrefix(place), "\(path)")
        #expect(files.contents(atPath: path) != nil)
        page.remove()
        #expect(!files.fileExists(atPath: (path as NSString).deletingLastPathComponent))
        // No other file remains beside it either.
        for name in ["a", "b", "home/.cache"] {
            #expect(try files.contentsOfDirectory(atPath: scratch.path(name)).isEmpty)
        }
    }

    @Test("A location that is not an absolute path is ignored")
    func relative() throws {
        let page = try #require(RedirectPage(to: "http://127.0.0.1:1/x/", ["XDG_RUNTIME_DIR": "."]))
        defer { page.remove() }
        let path = try #require(URL(string: page.address)?.path)
        #expect(path.hasPrefix(FileManager.default.temporaryDirectory.path), "\(path)")
    }
}
