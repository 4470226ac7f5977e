import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The script `scripts/loop`, in a directory of its own.
@Suite("The loops")
struct LoopScriptTests {
    @Test("Each loop prints its expected duration, from its last run on this machine or from a measured host")
    func takes() throws {
        let scratch = Scratch()
        for name in ["scripts/loop", "docs/loops.md"] {
            let text = try String(contentsOf: Command.root.appending(path: name), encoding: .utf8)
            try scratch.write(text, to: name)
        }
        func takes(_ loop: String) throws -> String {
            try Command.run("\(scratch)/scripts/loop --takes \(loop)", program: "/bin/bash").output
        }
        for loop in ["check", "test"] {
            let text = try takes(loop)
            #expect(
                text.contains(#/^[a-z]+: takes about [0-9]+:[0-9]{2} \(min:s\) in a fresh clone, measured on /#),
                "\(text)"
            )
            #expect(
                text.contains(#/measured on [0-9]+ [A-Z][a-z]+ 20[0-9]{2} on .* \(.*\); a slow machine/#),
                "\(text)"
            )
        }
        try scratch.write("61\tformat\n30\tbuild: simulator\n", to: ".build/logs/test.times")
        #expect(try takes("test") == "test: takes about 1:31 (min:s), as the last time on this machine\n")
        #expect(try takes("verify").isEmpty)
    }
}
