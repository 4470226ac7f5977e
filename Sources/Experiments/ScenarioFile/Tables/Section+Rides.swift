import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Rides {
    static var rides: Section {
        Section("The rides: arrivals and stages drawn from distributions, or both read from a trace.", Scenario.Rides())
        {
            Field("scale", \.scale, .number(0...1e6)).means("Multiplies arrivals.")
            Field("arrivals", \.arrivals, .section(.arrivals))
                .means("When rides are requested, unless a trace says so.")
            Field("stages", \.stages, .list(of: .section(.stage), count: 1...16))
                .means("What a ride goes through, in order; the last stage's end is the ride's end.")
            Field("cancellation", \.cancellation, .section(.cancellation))
                .means("Rides given up before a stage is over.")
            Field("rematching", \.rematching, .section(.rematching)).means("Rides that their drivers drop.")
            Field("trace", \.trace, .optional(.trace, .off)).means("Real rides in place of drawn ones.")
        }
    }
}

extension Section where Whole == Scenario.Arrivals {
    static var arrivals: Section {
        Section("When rides are requested.", Scenario.Arrivals()) {
            Field("process", \.process, .name).means("A Poisson process, or a fixed number evenly spaced.")
            Field(
                "rates_per_hour",
                \.ratesPerHour,
                .list(of: .ratePerHour(0...1e9).drawn { Double($0.number(0...1000)) }, count: 1...10_000)
            )
            .means("Rides per hour in successive rate intervals, repeated in a cycle; process poisson.")
            Field("rate_interval", \.rateInterval, .positiveDuration())
                .means("How long each rate holds; process poisson.")
            Field("count", \.count, .integer(0...1_000_000_000)).means("How many rides; process even.")
            Field("at", \.at, .duration()).means("The first arrival; process even.")
            Field("spread", \.spread, .duration()).means("Over how long arrivals are evenly spaced; process even.")
            Field("cities", \.cities, .list(of: .section(.city), count: 0...Scenario.City.most))
                .means("Among which cities rides are divided, and by which results are told, too; process poisson.")
        }
    }
}

extension Section where Whole == Scenario.City {
    static var city: Section {
        Section("A city with a part of the rides and a day of its own.", Scenario.City(name: "", share: .never)) {
            Field("name", \.name, .identifier, isRequired: true).means("The city's name, for scopes.")
            Field("share", \.share, .share, isRequired: true)
                .means("Its part of all rides; the shares of all cities add up to 100%.")
            Field("time_zone", \.timeZone, .timeZone)
                .means(
                    "How far its local time is ahead of the run's clock, or behind it: -03:00 where it is three hours earlier."
                )
            Field("curve", \.curve, .optional(.list(of: .number(0...1e9), count: 1...10_000), .inherit))
                .means(
                    "The course of its local day: rates in successive rate intervals, of which only the proportions count; "
                        + "inherit: that of rides.arrivals.rates_per_hour."
                )
        }
    }
}

extension Section where Whole == Scenario.Stage {
    static var stage: Section {
        Section("One stage of a ride.", Scenario.Stage(name: "", duration: .constant(0))) {
            Field("name", \.name, .identifier, isRequired: true).means("The stage's name, for scopes and stories.")
            Field("duration", \.duration, .durations(seconds: 20, 200, 400), isRequired: true)
                .means("How long the stage lasts.")
            Field("refresh", \.refresh, .optional(.pauses, .inherit))
                .means("Time between ETA refreshes; inherit: content.refresh.")
            Field("rank", \.rank, .optional(.rank, .inherit))
                .means("The rank of this stage's updates in the sender's queue; inherit: sender.ranks.update.")
        }
    }
}

extension Section where Whole == Scenario.Cancellation {
    static var cancellation: Section {
        Section("Rides that are given up.", Scenario.Cancellation()) {
            Field("share", \.share, .share).means("The rides that would be given up if nothing came first.")
            Field("after", \.after, .durations).means("From the request to giving up.")
            Field("until_stage", \.untilStage, .optional(.identifier, .unlimited))
                .means("The last stage in which a ride can be given up; unlimited: the last stage of all.")
        }
    }
}

extension Section where Whole == Scenario.Rematching {
    static var rematching: Section {
        Section(
            "Rides that their drivers drop, and that go back to an earlier stage until there is another driver.",
            Scenario.Rematching()
        ) {
            Field("share", \.share, .share).means("The rides that a driver would drop if nothing came first; below 1.")
            Field("after", \.after, .durations).means("From the beginning of from_stage to the drop.")
            Field("from_stage", \.fromStage, .optional(.identifier, .auto))
                .means("The stage in which a driver may drop the ride; auto: the one after to_stage.")
            Field("to_stage", \.toStage, .optional(.identifier, .auto))
                .means("The stage that the ride goes back to; auto: the first.")
        }
    }
}

extension Section where Whole == Scenario.Trace {
    static var trace: Section {
        Section("A file of real rides.", Scenario.Trace(file: "")) {
            Field("file", \.file, .text(upTo: 4096), isRequired: true)
                .means("The file, CSV or Parquet, beside the scenario or in the working directory.")
            Field("provider", \.provider, .optional(.text(upTo: 100), .off))
                .means("Keeps only the rides of this provider, by name or licence number; off: keeps all.")
            Field("longest_ride", \.longestRide, .positiveDuration()).means("Longer rides are left out as unclean.")
            Field("most_bad_rows", \.mostBadRows, .share)
                .means("The largest share of rows that may be left out as unclean; more refuses the file.")
            Field("columns", \.columns, .compactSection(.traceColumns))
                .means("The file's names of the columns, where they are not the TLC's or Freshet's.")
            Field("dates", \.dates, .optional(.name, .auto))
                .means("The order of day and month in dates such as 05/06/2026; auto: recognized from the whole file.")
            Field("time_zone", \.timeZone, .optional(.text(upTo: 64), .auto))
                .means(
                    "The IANA time zone of times without an offset, such as Europe/Berlin, for its clock changes; auto: that of "
                        + "the file's origin, where the header reveals it."
                )
            Field("fold_onto_one_day", \.foldOntoOneDay, .boolean).means("Whether requests are folded onto one day.")
        }
    }
}

extension Section where Whole == Scenario.TraceColumns {
    static var traceColumns: Section {
        Section(
            "The file's name for each column, or the column's number, from 1; auto: the TLC's or Freshet's name.",
            Scenario.TraceColumns()
        ) {
            Field("provider", \.provider, .column).means("The company, by name or licence number.")
            Field("status", \.status, .column).means("The outcome: completed or cancelled.")
            Field("request_time", \.requestTime, .column).means("When the ride was requested.")
            Field("accepted_time", \.acceptedTime, .column).means("When a driver took the ride.")
            Field("driver_arrived_time", \.driverArrivedTime, .column).means("When the driver was at the pickup.")
            Field("pickup_time", \.pickupTime, .column).means("When the rider got in.")
            Field("dropoff_time", \.dropoffTime, .column).means("When the rider got out.")
            Field("cancelled_time", \.cancelledTime, .column).means("When the ride was given up.")
        }
    }
}

extension Notation where Value == String {
    /// The name of a file's column, or its absence, which is the empty text.
    static var column: Notation { .optional(.text(upTo: 256), .auto) }
}

extension Notation where Value == Scenario.Trace {
    /// A trace, which is read later.
    static var trace: Notation {
        let section = Notation.section(.trace)
        return Notation(
            read: { node, path, reading in
                guard let trace = section.read(node, path, &reading) else { return nil }
                let filePath = Reading.path(path, "file")
                if !reading.isRefused(filePath) {
                    reading.refer(to: DataFileReference(file: trace.file, path: filePath))
                }
                return trace
            },
            write: section.write,
            writeChanges: section.writeChanges,
            schema: section.schema(),
            draw: section.draw
        )
    }
}
