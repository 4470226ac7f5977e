import InputFiles
import LiveActivityModel
import Quantities
import TextFormats

/// Rules about rides: their arrivals, stages and riders.
extension ScenarioRules {
    func checkRides(_ reading: inout Reading) {
        let arrivals = scenario.rides.arrivals
        let rides: Double
        let path: String
        switch arrivals.process {
        case .even:
            rides = Double(arrivals.count)
            path = "rides.arrivals.count"
        case .poisson:
            let hours = Double(scenario.clock.duration.microseconds) / Double(TimeSpan.hours(1).microseconds)
            rides = hours * arrivals.ratesByCity.reduce(0) { $0 + ($1.max() ?? 0) }
            path = "rides.arrivals.rates_per_hour"
        }
        let scaled = rides * scenario.rides.scale * (scenario.rides.again?.ridesPerRider ?? 1)
        // Cities without any share or rate have no defined number of rides; another rule refuses them.
        let isBearable = !(scaled > Self.mostRides) || scenario.rides.trace != nil
        reading.require(
            isBearable,
            path,
            given: "rides.scale",
            "clock.duration",
            "rides.arrivals.process",
            "rides.again"
        ) {
            "must be smaller: with rides.scale\(scenario.rides.again == nil ? "" : " and rides.again") it makes up to \(NumberText.text(scaled.rounded())) rides; allowed: 1000000000"
        }
    }

    func checkCities(_ reading: inout Reading) {
        let (rides, path) = (scenario.rides, "rides.arrivals.cities")
        let cities = rides.arrivals.cities
        guard !cities.isEmpty else { return }
        let sum = cities.reduce(0) { $0 + $1.share.fraction }
        reading.require(abs(sum - 1) <= Self.roundingOfShares, "\(path).\(cities.count - 1).share") {
            "must make the shares of all cities add up to 100%, got \(NumberText.text((sum * 1e6).rounded() / 1e4))%"
        }
        for (index, city) in cities.enumerated() {
            reading.require(!cities[..<index].contains { $0.name == city.name }, "\(path).\(index).name") {
                "must differ from the names of earlier cities, got \"\(city.name)\""
            }
            reading.require(city.curve?.contains { $0 > 0 } ?? true, "\(path).\(index).curve") {
                "must have a rate above 0: a city without rides has a share of 0"
            }
        }
        // Only random arrivals are divided between cities.
        reading.require(rides.trace == nil, "rides.trace") {
            "must be off with rides.arrivals.cities, got a trace: the rides of a trace belong to no city"
        }
        reading.require(rides.arrivals.process == .poisson, "rides.arrivals.process") {
            "must be poisson with rides.arrivals.cities, got \(rides.arrivals.process.rawValue)"
        }
    }

    func checkStages(_ reading: inout Reading) {
        let names = scenario.rides.stages.map(\.name)
        let references = [
            ("rides.cancellation.until_stage", scenario.rides.cancellation.untilStage),
            ("rides.rematching.from_stage", scenario.rides.rematching.fromStage),
            ("rides.rematching.to_stage", scenario.rides.rematching.toStage),
            ("rides.stops.from_stage", scenario.rides.stops?.fromStage ?? ""),
            ("rides.stops.to_stage", scenario.rides.stops?.toStage ?? ""),
            ("content.payload.photo_stage", scenario.content.payload.photoStage),
        ]
        for (path, name) in references {
            reading.require(name.isEmpty || names.contains(name), path, given: "rides.stages") {
                "must name a stage of rides.stages, got \"\(name)\"; \(Suggestion.advice(for: name, among: names))"
            }
        }
        for (index, name) in names.enumerated() {
            let isNew = !names[..<index].contains(name)
            reading.require(isNew, "rides.stages.\(index).name", given: "rides.stages") {
                "must differ from the names of earlier stages, got \"\(name)\""
            }
        }
    }

    func checkRematching(_ reading: inout Reading) {
        guard let (from, to) = scenario.rides.rematchingStages else { return }
        let path = "rides.rematching.share"
        let share = scenario.rides.rematching.share
        reading.require(share < .always, path) {
            "must be below 100%, got 100%: no ride would get past the stage in which drivers drop it"
        }
        reading.require(scenario.rides.trace == nil, path, given: "rides.trace") {
            "must be 0 with rides.trace, got \(NumberText.text(share.fraction)): a trace already "
                + "contains the rides that drivers dropped"
        }
        let stages = scenario.rides.stages
        let place = "rides.rematching.from_stage"
        reading.require(to < from && from < stages.count, place, given: "rides.stages", "rides.rematching.to_stage") {
            let later = stages.dropFirst(to + 1).map(\.name).joined(separator: ", ")
            let got = from < stages.count ? "\"\(stages[from].name)\"" : "auto"
            return "must be a stage after rides.rematching.to_stage (\"\(stages[to].name)\"), got \(got); "
                + (later.isEmpty ? "there is none: add one to rides.stages" : "allowed: \(later)")
        }
    }

    func checkStops(_ reading: inout Reading) {
        guard let (from, to) = scenario.rides.stoppingStages else { return }
        reading.require(scenario.rides.trace == nil, "rides.stops", given: "rides.trace") {
            "must be off with rides.trace, got a section: a trace has the stages of its rides"
        }
        let stages = scenario.rides.stages
        reading.require(to <= from, "rides.stops.to_stage", given: "rides.stages", "rides.stops.from_stage") {
            "must not be after rides.stops.from_stage (\"\(stages[from].name)\"), got \"\(stages[to].name)\"; allowed: "
                + stages[...from].map(\.name).joined(separator: ", ")
        }
    }

    func checkAgain(_ reading: inout Reading) {
        guard scenario.rides.again == nil else {
            reading.require(scenario.rides.trace == nil, "rides.again", given: "rides.trace") {
                "must be off with rides.trace, got a section: a trace already contains all rides of a rider"
            }
            let start = scenario.devices.start
            reading.require(
                !start.comparesRides || start.mostCards == nil,
                "devices.start.most_cards",
                given: "devices.start.compares_rides"
            ) {
                "must be off with devices.start.compares_rides, got \(start.mostCards ?? 0): such an app ends earlier cards"
            }
            return
        }
        let uses = [
            ("devices.start.compares_rides", scenario.devices.start.comparesRides),
            ("devices.start.most_cards", scenario.devices.start.mostCards != nil),
            ("devices.budget.shared", scenario.devices.budget.isShared),
            ("apns.storage", scenario.apns.storage == .onePerPhone),
        ]
        for (path, isUsed) in uses {
            reading.require(!isUsed, path, given: "rides.again") {
                "needs rides.again, which is off: without it, each ride has a phone of its own"
            }
        }
    }
}
