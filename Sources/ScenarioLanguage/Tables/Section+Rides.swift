import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Rides {
    static var rides: Section {
        Section("Rides: arrivals and stages, drawn from distributions or read from a trace.", Scenario.Rides()) {
            Field("scale", \.scale, .number(0...1e6)).means("Factor on the arrival rate.")
            Field("arrivals", \.arrivals, .section(.arrivals))
                .means("Arrival times of rides; a trace replaces them.")
            Field("stages", \.stages, .list(of: .section(.stage), count: 1...16))
                .means("The stages of a ride, in order; the ride ends with its last stage.")
            Field("cancellation", \.cancellation, .section(.cancellation))
                .means("Cancelled rides.")
            Field("rematching", \.rematching, .section(.rematching)).means("Rides that their drivers drop.")
            Field("stops", \.stops, .optional(.section(.stops), .off))
                .means(
                    "Rides with several stops, whose stages are repeated; off: each ride passes through each stage once."
                )
            Field("booked", \.booked, .optional(.section(.booked), .off))
                .means("Rides that are booked ahead; off: each rider uses the app at the request.")
            Field("again", \.again, .optional(.section(.again), .off))
                .means("Further rides of the same rider, on the same phone; off: each ride has a phone of its own.")
            Field("trace", \.trace, .optional(.section(.trace), .off)).means("Recorded rides instead of drawn ones.")
        }
    }
}

extension Section where Whole == Scenario.Arrivals {
    static var arrivals: Section {
        Section("Arrival times of rides.", Scenario.Arrivals()) {
            Field("process", \.process, .name).means("The arrival process: Poisson, or a fixed number, evenly spaced.")
            Field(
                "rates_per_hour",
                \.ratesPerHour,
                .list(of: .ratePerHour(0...1e9).drawn { Double($0.number(0...1000)) }, count: 1...10_000)
            )
            .means("Rides per hour in successive rate intervals, repeated cyclically; for process poisson.")
            Field("rate_interval", \.rateInterval, .positiveDuration())
                .means("Length of a rate interval; for process poisson.")
            Field("count", \.count, .integer(0...1_000_000_000)).means("Number of rides; for process even.")
            Field("at", \.at, .duration()).means("Time of the first arrival; for process even.")
            Field("spread", \.spread, .duration())
                .means("Time over which arrivals are evenly spaced; for process even.")
            Field("cities", \.cities, .list(of: .section(.city), count: 0...Scenario.City.most))
                .means("Cities that share the rides; results are also reported by city. For process poisson.")
        }
    }
}

extension Section where Whole == Scenario.City {
    static var city: Section {
        Section("A city with a share of the rides and its own daily profile.", Scenario.City(name: "", share: .never)) {
            Field("name", \.name, .identifier, isRequired: true).means("Name of the city, for scopes.")
            Field("share", \.share, .share, isRequired: true)
                .means("Share of all rides; the shares of all cities add up to 100%.")
            Field("time_zone", \.timeZone, .timeZone)
                .means(
                    "Offset of local time from the clock of the run: -03:00 if it is three hours earlier."
                )
            Field("curve", \.curve, .optional(.list(of: .number(0...1e9), count: 1...10_000), .inherit))
                .means(
                    "Relative rates in successive rate intervals of the local day; only proportions matter. inherit: "
                        + "rides.arrivals.rates_per_hour."
                )
        }
    }
}

extension Section where Whole == Scenario.Stage {
    static var stage: Section {
        Section("A stage of a ride.", Scenario.Stage(name: "", duration: .constant(0))) {
            Field("name", \.name, .identifier, isRequired: true).means("Name of the stage, for scopes and histories.")
            Field("duration", \.duration, .durations(seconds: 20, 200, 400), isRequired: true)
                .means("Duration of the stage.")
            Field("refresh", \.refresh, .optional(.pauses, .inherit))
                .means("Time between ETA refreshes; inherit: content.refresh.")
            Field("rank", \.rank, .optional(.rank, .inherit))
                .means("Rank of this stage's updates in the sender's queue; inherit: sender.ranks.update.")
            Field("payload_bytes", \.payloadBytes, .optional(.numbers, .inherit))
                .means("Size of this stage's content without a photo; inherit: content.payload.bytes.")
            Field("alert", \.alert, .boolean)
                .means("If true, the first update of the stage carries an alert.")
        }
    }
}

extension Section where Whole == Scenario.Cancellation {
    static var cancellation: Section {
        Section("Cancelled rides.", Scenario.Cancellation()) {
            Field("share", \.share, .share).means("Share of rides that are cancelled unless they end first.")
            Field("after", \.after, .durations).means("Time from the request to the cancellation.")
            Field("until_stage", \.untilStage, .optional(.identifier, .unlimited))
                .means("Last stage in which a ride can be cancelled; unlimited: the last stage of the ride.")
        }
    }
}

extension Section where Whole == Scenario.Rematching {
    static var rematching: Section {
        Section(
            "Rides that their drivers drop; they return to an earlier stage until another driver accepts.",
            Scenario.Rematching()
        ) {
            Field("share", \.share, .share)
                .means("Share of rides that the driver drops unless something else happens first; below 1.")
            Field("after", \.after, .durations).means("Time from the beginning of from_stage to the drop.")
            Field("from_stage", \.fromStage, .optional(.identifier, .auto))
                .means("Stage in which a driver can drop the ride; auto: the stage after to_stage.")
            Field("to_stage", \.toStage, .optional(.identifier, .auto))
                .means("Stage to which the ride returns; auto: the first.")
        }
    }
}

extension Section where Whole == Scenario.Stops {
    fileprivate static var stops: Section {
        Section("Rides with several stops.", Scenario.Stops(share: .never)) {
            Field("share", \.share, .share, isRequired: true)
                .means("Share of rides that make another stop, each time that from_stage is over.")
            Field("most", \.most, .integer(1...Scenario.Stops.mostStops))
                .means("Maximum number of additional stops of a ride.")
            Field("from_stage", \.fromStage, .optional(.identifier, .auto))
                .means("Stage after which a ride may make another stop; auto: the last.")
            Field("to_stage", \.toStage, .optional(.identifier, .auto))
                .means("Stage that the ride goes back to, not after from_stage; auto: from_stage.")
        }
    }
}

extension Section where Whole == Scenario.Booked {
    fileprivate static var booked: Section {
        Section("Rides that are booked ahead.", Scenario.Booked(share: .never)) {
            Field("share", \.share, .share, isRequired: true).means("Share of rides that are booked ahead.")
            Field("ahead", \.ahead, .durations(seconds: 1, 30, 600))
                .means("Time from the booking to the beginning of the ride.")
        }
    }
}

extension Section where Whole == Scenario.Again {
    fileprivate static var again: Section {
        Section("Further rides of the same rider.", Scenario.Again(share: .never)) {
            Field("share", \.share, .share, isRequired: true)
                .means("Share of rides after which their rider books another.")
            Field("after", \.after, .durations(seconds: 5, 30, 120))
                .means("Time from the end of a ride to the rider's next request.")
            Field("most", \.most, .integer(2...Scenario.Again.mostRides)).means("Maximum number of rides of a rider.")
        }
    }
}

extension Section where Whole == Scenario.Trace {
    static var trace: Section {
        Section("A file of recorded rides.", Scenario.Trace(file: "")) {
            Field("file", \.file, .dataFile, isRequired: true)
                .means("The file, CSV or Parquet, beside the scenario or in the working directory.")
            Field("provider", \.provider, .optional(.text(upTo: 100), .off))
                .means("Keeps only the rides of this provider, by name or licence number; off: keeps all.")
            Field("longest_ride", \.longestRide, .positiveDuration(upTo: TracedRide.longestStage))
                .means("Longest valid ride; longer rides count as bad rows.")
            Field("most_bad_rows", \.mostBadRows, .share)
                .means("Largest share of bad rows; a file with more is refused.")
            Field("columns", \.columns, .compactSection(.traceColumns))
                .means("The file's names of the columns, where they are not the TLC's or Freshet's.")
            Field("dates", \.dates, .optional(.name, .auto))
                .means("The order of day and month in dates such as 05/06/2026; auto: detected from the whole file.")
            Field("time_zone", \.timeZone, .optional(.text(upTo: 64), .auto))
                .means(
                    "IANA time zone of times without an offset, such as Europe/Berlin, for its clock changes; auto: the zone "
                        + "of the file's origin, if the header reveals it."
                )
            Field("fold_onto_one_day", \.foldOntoOneDay, .boolean)
                .means("If true, the requests of all days are mapped onto one day.")
        }
    }
}

extension Section where Whole == Scenario.TraceColumns {
    static var traceColumns: Section {
        Section(
            "The file's name for each column, or the column's number, from 1; auto: the TLC's or Freshet's name.",
            Scenario.TraceColumns()
        ) {
            Field("ride", \.ride, .column).means("The ride, by the name that content.eta.file has for it.")
            Field("provider", \.provider, .column).means("The company, by name or licence number.")
            Field("status", \.status, .column).means("The outcome: completed or cancelled.")
            Field("request_time", \.requestTime, .column).means("Time of the request.")
            Field("accepted_time", \.acceptedTime, .column).means("Time at which a driver accepted the ride.")
            Field("driver_arrived_time", \.driverArrivedTime, .column)
                .means("Time at which the driver arrived at the pickup point.")
            Field("pickup_time", \.pickupTime, .column).means("Time of the pickup.")
            Field("dropoff_time", \.dropoffTime, .column).means("Time of the dropoff.")
            Field("cancelled_time", \.cancelledTime, .column).means("Time of the cancellation.")
        }
    }
}

extension Notation where Value == String {
    /// The name of a file's column, or its absence, which is the empty text.
    static var column: Notation { .optional(.text(upTo: 256), .auto) }
}
