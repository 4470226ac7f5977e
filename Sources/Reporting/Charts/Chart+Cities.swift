import Evaluation
import LiveActivityModel
import Quantities
import TextFormats

/// Charts of each city's day.
extension Chart {
    /// Returns the fresh shares of riders' screens and the activities on screens in each city; empty without cities or
    /// rides in them.
    static func cities(_ result: RunResult) -> [Chart] {
        let course = CityCourse(result)
        return course.lines.isEmpty || course.steps.isEmpty ? [] : [freshness(of: course), live(of: course)]
    }

    private static func freshness(of course: CityCourse) -> Chart {
        chart(
            of: course,
            name: "cities-freshness",
            // The title names no minimum or maximum: most cities are alike by the intervals in the table.
            title: "Fresh on screens during rides, by city",
            field: "percent"
        ) { line, step in line.share(step).map { $0 * 100 } }
    }

    private static func live(of course: CityCourse) -> Chart {
        let clock = ClockTime(course.result.scenario)
        // Each peak is on the clock of its city.
        let peaks = course.lines
            .compactMap { line in line.busiest.map { (name: line.name, at: $0.from + line.timeZone) } }
            .sorted { $0.at < $1.at }
        var title = "Activities on screens"
        if let first = peaks.first, let last = peaks.last {
            title +=
                first.at == last.at
                ? ": peak at \(clock.short(first.at))"
                    + (peaks.count > 1 ? " in all cities shown" : " in \(first.name)")
                : ": peak at \(clock.short(first.at)) in \(first.name), \(clock.short(last.at)) in \(last.name)"
            title += course.hasTimeZones ? ", local time" : ""
        }
        return chart(of: course, name: "cities-live", title: title, field: "live") { line, step in
            line.live(step) / Double(course.result.replications)
        }
    }

    private static func chart(
        of course: CityCourse,
        name: String,
        title: String,
        field: String,
        value: (CityCourse.Line, TimeSteps.Step) -> Double?
    ) -> Chart {
        let (result, steps) = (course.result, course.steps)
        let clock = ClockTime(result.scenario)
        let points = course.lines.flatMap { line in
            steps.map { (at: clock.axisMilliseconds($0.middle), city: line.name, value: value(line, $0)) }
        }
        let axis = field == "percent" ? ShareAxis(points.compactMap(\.value)) : nil
        let rest =
            course.cityCount > course.lines.count
            ? "; the \(course.lines.count) cities with the most ride time, of \(course.cityCount)" : ""
        return Chart(
            template: "cities",
            name: name,
            title: title,
            subtitle: subtitle(result, steps) + rest
                + (course.hasTimeZones ? "; the axis is the run's clock" : "") + (axis?.remark ?? ""),
            [
                "rows": .array(points.map { row(at: .integer($0.at), $0.city, $0.value, as: field) }),
                "y": .string(field),
            ],
            axis?.values ?? [:],
            day(result, steps),
            series(zip(course.lines, cityColours).map { ($0.name, $1) })
        )
    }

    /// The colours, as many as can be distinguished; grey is for faults.
    fileprivate static let cityColours: [Colour] = [
        .blue, .orange, .bluishGreen, .reddishPurple, .vermillion, .skyBlue, .black,
    ]
}

/// The time series of the cities that fit into a chart, while rides arrive.
private struct CityCourse {
    /// One city.
    struct Line {
        let name: String
        let city: Int
        let total: Measurements
        /// The offset of its clock from the run's.
        let timeZone: TimeSpan
        /// The ride time of a step below which its share is not representative: 1 % of the mean.
        var leastRideTime = 0.0
        /// The step with the most activities on screens; nil if there were none.
        var busiest: TimeSteps.Step?

        func sum(_ column: SegmentColumn, _ step: TimeSteps.Step) -> Int64 {
            step.sum(column, in: .city(city), of: total)
        }

        /// Returns the mean number of activities on screens over a step, over all replications; steps may have
        /// different lengths.
        func live(_ step: TimeSteps.Step) -> Double {
            Double(sum(.displayedTime, step)) / Double(max(1, step.length.microseconds))
        }

        /// Returns the share of a step's ride time with fresh content on a screen; nil if there is too little ride
        /// time.
        func share(_ step: TimeSteps.Step) -> Double? {
            let rides = sum(.rideTime, step)
            guard rides > 0, Double(rides) >= leastRideTime else { return nil }
            return Double(sum(.rideDisplayedFreshTime, step)) / Double(rides)
        }
    }

    let result: RunResult
    let steps: [TimeSteps.Step]
    /// The lines, in the order of the scenario.
    let lines: [Line]
    /// The number of cities with rides.
    let cityCount: Int
    /// `true` if a city's clock differs from the run's.
    var hasTimeZones: Bool { lines.contains { $0.timeZone != .zero } }

    init(_ result: RunResult) {
        let total = result.total
        let steps = TimeSteps(result, atMost: Chart.largestStepCount).whileRidesArrive
        let ridden = result.scenario.rides.arrivals.cities.indices
            .map { (city: $0, time: total.duringRide(.rideTime, in: .city($0))) }
            .filter { $0.time > 0 }
        let largest = ridden.sorted { ($1.time, $0.city) < ($0.time, $1.city) }.prefix(Chart.cityColours.count)
        self.result = result
        self.steps = steps
        cityCount = ridden.count
        lines = largest.sorted { $0.city < $1.city }
            .map { city, _ in
                var line = Line(
                    name: Wording.plain(result.scenario.rides.arrivals.cities[city].name),
                    city: city,
                    total: total,
                    timeZone: result.scenario.rides.arrivals.cities[city].timeZone
                )
                let rideTime = steps.reduce(0) { $0 + line.sum(.rideTime, $1) }
                line.leastRideTime = Double(rideTime) / Double(max(1, steps.count)) / 100
                line.busiest =
                    steps.map { (step: $0, live: line.live($0)) }
                    .filter { $0.live > 0 }
                    .max { $0.live < $1.live }?
                    .step
                return line
            }
    }
}
