import Foundation
import Testing
import TextFormats

struct JSONValueTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (-7, "-7"), (.unsigned(.max), "18446744073709551615"),
            (.decimal(0.125, places: 3), "0.125"), (.decimal(.nan, places: 3), "null"), ([], "[]"), ([:], "{}"),
            (["b": 1, "a": [1, 2]], "{\"a\": [1, 2], \"b\": 1}"),
            ("a\"\\\n\t\r\u{1}é", "\"a\\\"\\\\\\n\\t\\r\\u0001é\""),
        ] as [(JSONValue, String)]
    )
    func text(value: JSONValue, text: String) {
        #expect(value.text == text + "\n")
    }

    @Test
    func longValuesAreBroken() {
        let long = JSONValue.string(String(repeating: "x", count: 110))
        let expected = """
            {
              "a": [
                \(long.text.dropLast()),
                {"b": 1, "c": 2}
              ],
              "d": null
            }

            """
        #expect((["d": .null, "a": [long, ["c": 2, "b": 1]]] as JSONValue).text == expected)
    }
}
