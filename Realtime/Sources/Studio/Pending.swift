import Experiments
import Foundation
import LiveActivityModel
import Reporting
import TextFormats

enum VegaRuntime {
    static func javaScript(tell: (String) -> Void) throws -> String {
        (try? String(contentsOfFile: "/tmp/w/vega.js", encoding: .utf8)) ?? ""
    }
}
enum PageAssets {
    static let style = ""
    static let charts = (try? String(contentsOfFile: "/tmp/w/charts.js", encoding: .utf8)) ?? ""
}
struct HeadlineTile {
    static func tiles(of: RunResult, against: RunResult?) -> [HeadlineTile] { [] }
    static func json(_ tiles: [HeadlineTile]) -> String { "[]" }
}
extension Chart {
    static func overlay(base: RunResult, changed: RunResult?) -> ChartStub { ChartStub() }
    struct ChartStub { let text = "{}" }
}
