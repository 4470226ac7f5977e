import Evaluation
import InputFiles
package import LiveActivityModel
import Quantities

/// The tables of whole files, made once, because each point of a design is read and written with them.
///
/// Their closures hold no mutable state.
package enum WholeTables {
    /// The table of scenarios without factors and checks.
    package nonisolated(unsafe) static let scenario = Section<Scenario>.ofScenarios
    nonisolated(unsafe) static let experiment = Section<Experiment>.ofExperiments
}

extension Section where Whole == Scenario {
    static var scenario: Section { WholeTables.scenario }

    fileprivate static var ofScenarios: Section {
        Section("A Freshet scenario: a simulated world of riders' Live Activities.", Scenario()) {
            Field("name", \.name, .runName).means("Name of the run and of its result directory.")
            Field("description", \.description, .text(upTo: 10_000)).means("Description of the scenario.")
            Field("seed", \.seed, .integer(0 ... .max)).means("Random seed.")
            Field("replications", \.replications, .replications.seldom)
                .means("Number of replications; confidence intervals come from their differences.")
            Field("clock", \.clock, .section(.clock))
                .means("Length of the run and of the windows in timeseries.csv.")
            Field("rides", \.rides, .section(.rides)).means("Arrivals, stages and cancellations of rides.")
            Field("groups", \.groups, .optional(.section(.groups), .off).seldom)
                .means(
                    "Groups of phones that follow one content, such as a match: each request of rides.arrivals begins a group. off: "
                        + "each ride has a phone of its own."
                )
            Field("content", \.content, .section(.content)).means("The content that the server sends, and its times.")
            Field("devices", \.devices, .section(.devices)).means("Riders' phones.")
            Field("apns", \.apns, .section(.apns)).means("Apple's push service between the sender and the phones.")
            Field("sender", \.sender, .section(.sender)).means("The server's connections to APNs, per cell.")
            Field("monitor", \.monitor, .section(.monitor)).means("The Freshness Monitor.")
            Field("cohorts", \.cohorts, .cohorts.seldom)
                .means("Shares of the fleet with values of their own; results are also reported by cohort.")
            Field("faults", \.faults, .list(of: .section(.fault), count: 0...1000)).means("Faults.")
            Field("measure", \.measure, .section(.measure)).means("Additional measurements.")
            Field("cells", \.cells, .integer(1...4096))
                .means("Number of independent cells into which activities are hashed.")
        }
    }
}

extension Section where Whole == Scenario.Clock {
    static var clock: Section {
        Section("Length of the run and of its windows.", Scenario.Clock()) {
            Field("duration", \.duration, .positiveDuration()).means("Time during which rides arrive.")
            Field("drain", \.drain, .duration())
                .means("Largest extension of the run after the last arrival, so that activities can end.")
            Field("warm_up", \.warmUp, .duration()).means("Warm-up period, excluded from all statistics.")
            Field("window", \.window, .positiveDuration().drawn { $0.seconds(50...900) })
                .means("Width of the windows of timeseries.csv.")
            Field("starts_at", \.start, .localTime)
                .means("Local time at the start of the run, for labels and for faults at a time of day.")
        }
    }
}

extension Section where Whole == Scenario.Fault {
    static var fault: Section {
        Section("A fault for a limited time.", Scenario.Fault(kind: .apnsSilent, at: .zero)) {
            Field("kind", \.kind, .name, isRequired: true).means("Kind of fault.")
            Field("at", \.at, .durationOrLocalTime, isRequired: true)
                .means(
                    "Start of the fault: the time from the start of the run, or the first such local time in the run."
                )
            Field("duration", \.duration, .duration()).means("Duration of the fault; connection_lost is instantaneous.")
            Field("share", \.share, .share)
                .means("Share of affected phones, connections or requests, for kinds that have one.")
            Field("factor", \.factor, .thousandths(0...1000))
                .means("Slowdown factor (apns_slow, content_slow) or remaining share of the speed (apns_capacity).")
        }
    }
}

extension Notation where Value == String {
    /// A name that is also a directory name.
    static var runName: Notation {
        Notation(
            "a name",
            allowed: "up to 64 letters, digits and hyphens, beginning with a letter or a digit",
            write: { .text($0) },
            schema: ["type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9-]{0,63}$"],
            draw: { draws, _ in "world-\(draws.number(0...9))" },
            parse: { text throws(Remark) in
                text.isPlain(1...64, also: "-") && !text.hasPrefix("-") ? text : nil
            }
        )
    }
}

extension Section where Whole == Experiment {
    /// The whole file: the sections of a scenario, and its checks.
    static var experiment: Section { WholeTables.experiment }

    static var ofExperiments: Section {
        let scenario = Section<Scenario>.scenario
        return Section(scenario.doc, Experiment(scenario: scenario.defaults)) {
            Field("extends", \.extends, .optional(.text(upTo: 1000), .off))
                .means(
                    "A base scenario, beside this file or an example; it sets the keys that this file leaves out, except factors and "
                        + "checks, which are not inherited. An inherited description is marked as the base's."
                )
            scenario.fields.map { $0.lifted(\.scenario) }
            Field("factors", \.factors, .optional(.section(.factors), .off))
                .means("The factors of an experiment; off: the file is a single run.")
            Field("checks", \.checks, .list(of: .check, count: 0...1000))
                .means("Conditions on the results of a run; the exit code is 99 if a check fails or is not measured.")
        }
    }
}

extension Section where Whole == Check {
    static var check: Section {
        // The comparison is required, so this default is never used.
        let usual = Check(Comparison(response: Response(metric: ""), relation: .equal, limit: .number(0)))
        return Section("A condition on the results of a run.", usual) {
            Field("name", \.givenName, .title(upTo: 200)).means("Title in reports.")
            Field("check", \.comparison, .comparison, isRequired: true)
                .means(
                    "The condition, for example fresh_time_ratio >= 95%; `with 95%` requires it of the whole "
                        + "confidence interval."
                )
        }
    }
}

extension Notation where Value == Comparison {
    /// A response, an operator and a number.
    static var comparison: Notation {
        .parsed(
            "must be a comparison",
            allowed: "; allowed: a comparison such as displayed_fresh_time_ratio >= 95%",
            schema: [
                "type": "string",
                "pattern":
                    #"^ *[a-z0-9_]+(\{[^{}]+\})?(\.[a-z0-9_]+)?(@([A-Z][a-z][a-z] )?[^ ]+(\.\.[A-Z][a-z][a-z] [^ ]+)?)? *(<|<=|>|>=|==|!=) *[-0-9][^ ]*( +with +[0-9][^ ]*)? *$"#,
            ],
            parse: Comparison.init(parsing:)
        )
    }
}

extension Notation where Value: CustomStringConvertible {
    /// Returns the notation of a text whose parser reports its own errors.
    static func parsed(
        _ rule: String,
        allowed: String = "",
        schema: StructuredValue,
        parse: @escaping (String) throws(ResponseError) -> Value
    ) -> Notation {
        Notation(
            read: { node, path, reading in
                do throws(ResponseError) {
                    if let text = node.scalar { return try parse(text) }
                    reading.refuse(path, at: node.place, "\(rule), got \(node.excerpt)\(allowed)")
                } catch {
                    reading.refuse(path, at: node.place, "\(error)")
                }
                return nil
            },
            write: { .text($0.description) },
            schema: schema
        )
    }
}

extension Notation where Value == Check {
    /// A comparison, or a section that names one.
    static var check: Notation {
        let short = Notation<Comparison>.comparison
        let section = Notation.section(.check)
        return Notation(
            read: { node, path, reading in
                node.mapping == nil
                    ? short.read(node, path, &reading).map { Check($0) } : section.read(node, path, &reading)
            },
            write: { $0.givenName.isEmpty ? short.write($0.comparison) : section.write($0) },
            schema: ["anyOf": [section.schema(), short.schema()]]
        )
    }
}

extension Experiment {
    /// The sections that determine metrics and windows.
    static let metricSections = [
        "rides.stages", "rides.arrivals.cities", "cohorts", "sender.ranks", "measure", "clock",
    ]

    /// Refuses checks of metrics and windows that the scenario lacks.
    ///
    /// While one of the sections that determine metrics is invalid, no metric is reported as missing.
    func refuseUnknownResponses(_ reading: inout Reading) {
        guard !checks.isEmpty, !(Self.metricSections + ["checks"]).contains(where: reading.isRefused) else { return }
        let catalog = MetricCatalog(of: scenario)
        for (index, check) in checks.enumerated() {
            do throws(ResponseError) {
                _ = try check.comparison.resolve(in: scenario, by: catalog)
            } catch {
                reading.refuse(check.givenName.isEmpty ? "checks.\(index)" : "checks.\(index).check", "\(error)")
            }
        }
    }
}
