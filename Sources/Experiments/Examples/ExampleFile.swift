/// The embedded files of `experiments/`: an installed `freshet` runs them by name, and `freshet init` writes them.
package enum ExampleFile {
    /// The extension that names of scenario files may omit.
    static let ending = ".yaml"

    /// Returns the bytes of a scenario by name, such as `nyc-lyft-day`, or of any file by its path within
    /// `experiments/`; nil if there is none.
    package static func bytes(of path: String) -> [UInt8]? {
        all[path] ?? all[path + ending]
    }

    /// Returns true if a path names an example.
    static func exists(_ path: String) -> Bool { bytes(of: path) != nil }

    /// The files, by path within `experiments/`.
    package static let all: [String: [UInt8]] = [
        "apns-outage.yaml": PackageResources.apns_outage_yaml,
        "bike-computer.yaml": PackageResources.bike_computer_yaml,
        "food-delivery.yaml": PackageResources.food_delivery_yaml,
        "four-midnights.yaml": PackageResources.four_midnights_yaml,
        "go-taxi.yaml": PackageResources.go_taxi_yaml,
        "live-evening.yaml": PackageResources.live_evening_yaml,
        "live-outage.yaml": PackageResources.live_outage_yaml,
        "live-trouble.yaml": PackageResources.live_trouble_yaml,
        "lyft-nation-day.yaml": PackageResources.lyft_nation_day_yaml,
        "metastable.yaml": PackageResources.metastable_yaml,
        "netmera-upload.yaml": PackageResources.netmera_upload_yaml,
        "new-years-eve.yaml": PackageResources.new_years_eve_yaml,
        "nyc-lyft-day.yaml": PackageResources.nyc_lyft_day_yaml,
        "release-gate.yaml": PackageResources.release_gate_yaml,
        "retry-policies.yaml": PackageResources.retry_policies_yaml,
        "sports-final.yaml": PackageResources.sports_final_yaml,
        "trace-replay.yaml": PackageResources.trace_replay_yaml,
        "traces/lyft-sample.csv": PackageResources.lyft_sample_csv,
        "tune-fresh-limit.yaml": PackageResources.tune_fresh_limit_yaml,
        "what-freshness-costs.yaml": PackageResources.what_freshness_costs_yaml,
        "what-matters.yaml": PackageResources.what_matters_yaml,
        "workout.yaml": PackageResources.workout_yaml,
    ]
}
