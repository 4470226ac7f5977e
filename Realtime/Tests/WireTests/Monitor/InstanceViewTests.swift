import FreshnessCore
import Quantities
import Testing
import TextFormats
import Wire

/// Responses about instances.
@Suite struct InstanceViewTests {
    private static func stamp(_ generatedAt: Int64, _ staleDate: Instant) -> ContentStamp {
        ContentStamp(generatedAt: Instant(microseconds: generatedAt), staleDate: staleDate)
    }

    @Test func aPageIsReadAsItIsWritten() {
        var views: [InstanceView] = []
        for phase in InstanceView.Phase.allCases {
            for token in TokenState.allCases {
                for freshness in [nil] + FreshnessClass.allCases.map(Optional.some) {
                    for shown in [nil, Self.stamp(3, .never), Self.stamp(4, Instant(microseconds: 9))] {
                        views.append(
                            InstanceView(
                                instance: "r\(views.count)",
                                freshness: freshness,
                                phase: phase,
                                token: token,
                                shown: shown,
                                announcedAt: shown?.generatedAt
                            )
                        )
                    }
                }
            }
        }
        let page = InstancePage(instances: views, next: 7)
        #expect(InstancePage(Array(page.json.document.utf8)) == page)
        let last = InstancePage(instances: [], next: nil)
        #expect(last.json.document == #"{"instances":[]}"# && InstancePage(Array(last.json.document.utf8)) == last)
    }

    @Test func membersHaveTheirNames() {
        var json = JSONText()
        InstanceView(
            instance: "r",
            freshness: .recoverable,
            phase: .live,
            token: .active,
            shown: Self.stamp(3, Instant(microseconds: 9)),
            announcedAt: Instant(microseconds: 4)
        )
        .write(to: &json)
        #expect(
            json.document == """
                {"instance":"r","class":"recoverable","phase":"live","token":"active",\
                "generated_at_us":3,"stale_date_us":9,"announced_generated_at_us":4}
                """
        )
    }

    @Test(arguments: [
        "{}", #"{"instance":"r","class":"stale","phase":"live","token":"none"}"#,
        #"{"instance":"r","class":null,"phase":"dead","token":"none"}"#,
        #"{"instance":"r","class":null,"phase":"live","token":"lost"}"#,
        #"{"instance":"r","phase":"live","token":"none"}"#,
    ])
    func whatNoMonitorSaysIsRefused(_ text: String) {
        #expect(InstanceView(Array(text.utf8)) == nil)
        #expect(InstancePage(Array(#"{"instances":[\#(text)]}"#.utf8)) == nil)
    }
}
