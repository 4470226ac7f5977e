import Testing

@testable import Shell

@Suite("Words of a command line")
struct CommandLineWordsTests {
    @Test(
        "A negative number reaches the option before it",
        arguments: [
            ("apns --rate -3/s --quiet", "apns --rate=-3/s --quiet"), ("--tokens -1", "--tokens=-1"),
            ("--span -.5s", "--span=-.5s"), ("--rate=3/s -1", "--rate=3/s -1"), ("--rate --quiet", "--rate --quiet"),
            ("-q -1", "-q -1"), ("--set -a", "--set -a"), ("--rate 3/s", "--rate 3/s"), ("--a -1 -2", "--a=-1 -2"),
            ("-- --rate -3", "-- --rate -3"), ("--x -", "--x -"), ("-1", "-1"),
        ]
    )
    func negativeNumbers(line: String, joined: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(CommandLineWords.joiningNegativeNumbers(words).joined(separator: " ") == joined)
    }
}
