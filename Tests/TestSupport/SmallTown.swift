/// A small scenario that simulates an hour in a few milliseconds.
public enum SmallTown {
    /// Returns the scenario, without factors; it ends with a newline.
    public static func scenario(cells: Int) -> String {
        """
        name: town
        seed: 7
        cells: \(cells)
        clock: {duration: 1h, drain: 1h, window: 15m}
        rides:
          arrivals: {process: poisson, rates_per_hour: [60]}
          stages:
            - {name: matching, duration: {exponential: {mean: 2m}}}
            - {name: on_trip, duration: {exponential: {mean: 10m}}}
        content: {ttl: 90s, refresh: {constant: 60s}}

        """
    }
}
