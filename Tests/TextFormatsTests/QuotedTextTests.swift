import Testing
import TextFormats

@Suite("Quoted texts")
struct QuotedTextTests {
    @Test("No field of CSV is a spreadsheet formula; signed numbers stay numbers")
    func formulas() {
        let fields = ["=1", "@a", "+a|b", "==", "\t=1", "-1.5", "+3%", "a=1", ""]
        #expect(QuotedText.csvLine(fields) == "'=1,'@a,'+a|b,==,'\t=1,-1.5,+3%,a=1,\n")
    }

    @Test(
        "A field of CSV is quoted only if it must be",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("a\r\nb", "\"a\r\nb\""), ("é", "é"), ("\"\u{301}", "\"\"\"\u{301}\""),
        ]
    )
    func fields(field: String, text: String) {
        #expect(QuotedText.csvLine([field, "1"]) == "\(text),1\n")
    }
}
