import CommandTestSupport
import Foundation
import Testing
import Yams

/// Checks that Prometheus and Grafana can read their files.
///
/// Tests of the exporting programs check the names in the queries.
@Suite("Files for Prometheus and Grafana")
struct PrometheusFilesTests {
    private static let docs = Command.root.appending(path: "docs")

    @Test("Each rule has a unique name, an expression and a summary")
    func rules() throws {
        let text = try String(contentsOf: Self.docs.appending(path: "prometheus/alerts.yaml"), encoding: .utf8)
        let file = try #require(try Yams.load(yaml: text) as? [String: Any])
        let groups = try #require(file["groups"] as? [[String: Any]])
        let rules = groups.flatMap { $0["rules"] as? [[String: Any]] ?? [] }
        #expect(rules.count > 10)
        let names = rules.compactMap { $0["alert"] as? String }
        #expect(names.count == rules.count && Set(names).count == names.count)
        for rule in rules {
            #expect((rule["expr"] as? String)?.isEmpty == false, "\(rule)")
            #expect((rule["annotations"] as? [String: String])?["summary"]?.isEmpty == false, "\(rule)")
            #expect(["page", "ticket"].contains((rule["labels"] as? [String: String])?["severity"]), "\(rule)")
        }
    }

    @Test("The example configuration names the rules and a job for each program")
    func configuration() throws {
        let text = try String(contentsOf: Self.docs.appending(path: "prometheus/prometheus.yaml"), encoding: .utf8)
        let file = try #require(try Yams.load(yaml: text) as? [String: Any])
        #expect(file["rule_files"] as? [String] == ["alerts.yaml"])
        let jobs = try #require(file["scrape_configs"] as? [[String: Any]]).compactMap { $0["job_name"] as? String }
        #expect(jobs == ["freshet-monitor", "freshet-apns", "freshet-load"])
    }

    @Test("Panels have unique ids and do not overlap", arguments: ["monitor", "apns", "load"])
    func dashboard(name: String) throws {
        let data = try Data(contentsOf: Self.docs.appending(path: "grafana/\(name).json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(dashboard["uid"] as? String == "freshet-\(name)")
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let ids = panels.compactMap { $0["id"] as? Int }
        #expect(ids.count == panels.count && Set(ids).count == ids.count)
        var taken: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y, width, height) = (place["x"] ?? 0, place["y"] ?? 0, place["w"] ?? 0, place["h"] ?? 0)
            #expect(x + width <= 24 && width > 0 && height > 0)
            for column in x..<(x + width) {
                for row in y..<(y + height) {
                    #expect(taken.insert([column, row]).inserted, "\(panel["title"] ?? "")")
                }
            }
            #expect((panel["description"] as? String)?.isEmpty == false)
        }
    }
}
