import LiveActivityModel
import Quantities

/// The tables of whole files, made once: laying out a design reads and writes by them at each of its points.
///
/// Their closures hold nothing that changes.
enum WholeTables {
    nonisolated(unsafe) static let scenario = Section<Scenario>.ofScenarios
    nonisolated(unsafe) static let experiment = Section<Experiment>.ofExperiments
}

extension Section where Whole == Scenario {
    /// What is simulated.
    static var scenario: Section { WholeTables.scenario }

    fileprivate static var ofScenarios: Section {
        Section("A scenario of Freshet: one simulated world of riders' Live Activities.", Scenario()) {
            Field("name", \.name, .runName).means("Names the run and its result directory.")
            Field("description", \.description, .text(upTo: 10_000)).means("What the scenario is about.")
            Field("seed", \.seed, .integer(0 ... .max)).means("The seed of every draw.")
            Field("replications", \.replications, .replications.seldom)
                .means("How many histories are run; intervals come from their differences.")
            Field("clock", \.clock, .section(.clock))
                .means("How long the run is, and how results are cut into windows.")
            Field("rides", \.rides, .section(.rides)).means("Which rides arrive and how each unfolds.")
            Field("content", \.content, .section(.content)).means("What the server tells the rider, and when.")
            Field("devices", \.devices, .section(.devices)).means("How riders' phones behave.")
            Field("apns", \.apns, .section(.apns)).means("Apple's push service between the sender and the phones.")
            Field("sender", \.sender, .section(.sender)).means("The server's connections to APNs, per cell.")
            Field("monitor", \.monitor, .section(.monitor)).means("The Freshness Monitor.")
            Field("faults", \.faults, .list(of: .section(.fault), count: 0...1000)).means("What breaks, and when.")
            Field("measure", \.measure, .section(.measure)).means("What is measured beyond what always is.")
            Field("cells", \.cells, .integer(1...4096)).means("Into how many independent shards activities are hashed.")
        }
    }
}

extension Section where Whole == Scenario.Clock {
    static var clock: Section {
        Section("The run's length and its windows.", Scenario.Clock()) {
            Field("duration", \.duration, .positiveDuration()).means("How long rides arrive.")
            Field("drain", \.drain, .duration()).means("How much longer the run may go on without arrivals.")
            Field("warm_up", \.warmUp, .duration()).means("How much of the beginning is left out of every statistic.")
            Field("window", \.window, .positiveDuration().drawn { $0.seconds(50...900) })
                .means("The width of a row of timeseries.csv.")
            Field("starts_at", \.startsAt, .timeOfDay).means("The local time of day at the start; for labels only.")
        }
    }
}

extension Section where Whole == Scenario.Fault {
    static var fault: Section {
        Section("Something that breaks for a while.", Scenario.Fault(kind: .apnsSilent, at: .zero)) {
            Field("kind", \.kind, .name, isRequired: true).means("What breaks.")
            Field("at", \.at, .duration(), isRequired: true).means("When, from the start of the run.")
            Field("duration", \.duration, .duration()).means("For how long; connection_lost is an instant.")
            Field("share", \.share, .share).means("What part is hit, where the kind says so.")
            Field("factor", \.factor, .thousandths(0...1000))
                .means("How many times slower (apns_slow), or what part of the speed is left (apns_capacity).")
        }
    }
}

extension Notation where Value == String {
    /// A name that is also the name of a directory.
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
