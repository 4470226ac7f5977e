import CommandTestSupport
import Testing

@Suite("Command lines of tests")
struct CommandLineTextTests {
    @Test("Words end at white space outside quotation marks and interpolated values, and lists of words are added")
    func words() {
        let (path, options) = ("/a b", ["--c d", ""])
        let line: Command.Line = """
            run \(path)/x --set 'y=[1, 2]' --z=\(3)
            '' \(options) end
            """
        #expect(line.words == ["run", "/a b/x", "--set", "y=[1, 2]", "--z=3", "", "--c d", "", "end"])
    }
}
