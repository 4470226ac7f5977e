import ArgumentParser
import Benchmarking
import Shell

struct BenchModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Measures the model: the everyday world with many simultaneously live activities.",
        discussion: """
            Example: freshet bench model --activities 100000 --jobs 2

            The world of nyc-lyft-day.yaml at a constant rate of rides, with senders and retry budgets that grow with it, \
            after 75 simulated minutes, on its plateau. All cells are in memory at the same time. With one job \
            events_per_second uses the processor time of the thread, with several the wall-clock time; \
            events_per_cpu_second and events_per_wall_second give both. bytes_per_live_activity is the simulation's \
            memory from malloc, divided by the activities in memory. The fingerprint is the same for any number of \
            jobs.
            """
    )

    @Option(help: "The approximate number of simultaneously live activities.")
    var activities = 100_000

    @Option(help: "The number of cells to run at the same time.")
    var jobs = 1

    @Option(help: "The number of cells that activities are hashed to.")
    var cells = 16

    @Option(help: "The approximate number of events per run.")
    var events = 3_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--activities", activities, to: 1...10_000_000)
        try limit("--jobs", jobs, to: 1...1024)
        try limit("--cells", cells, to: 1...4096)
        try limit("--events", events, to: 1...1_000_000_000)
        let days = ModelWorkload.simulatedDays(events: events, activities: activities, runs: options.runs)
        guard days <= ModelWorkload.longestDays else {
            throw ValidationError(
                """
                --events of --activities, --runs times, would take \(Int(days)) simulated days; at most \
                \(Int(ModelWorkload.longestDays)) are allowed
                """
            )
        }
    }

    func run() throws {
        options.show(
            try .model(activities: activities, jobs: jobs, cells: cells, events: events, runs: options.runs)
        )
    }
}

struct BenchClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Measures the scan that classifies all instances by their deadlines, compared with a plain copy.",
        discussion: """
            Example: freshet bench classify --instances 10000000

            A scan reads five bytes per instance: its lapse and its class at the last scan. If the class has changed, it \
            writes one byte, which is not counted. copy_bytes_per_second is memcpy's rate in the same process for a table \
            of the same size, counting bytes read and written. Scans are 10 s of the instances' time apart.
            """
    )

    @Option(help: "The number of instances.")
    var instances = 10_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--instances", instances, to: 1...400_000_000)
    }

    func run() throws {
        options.show(try .classify(instances: instances, runs: options.runs))
    }
}

struct BenchCoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core",
        abstract: "Measures the decision core (classes, retries, ends) in real time, without a network.",
        discussion: """
            Example: freshet bench core --instances 1000000 --rate 2000000 --seconds 5

            Live instances get updates at a rate, whether the core keeps up or not (open loop): each update's latency \
            counts from the instant at which it was due. Once a second all instances are scanned. Instances that have \
            lapsed are retried, given up and ended as by the Freshness Monitor. At any time, one in a hundred \
            receives no updates, so that there are decisions to make.

            The core keeps up if 99 % of the updates are applied within 10 ms and no scan is missed. Rates and latencies \
            are in wall-clock time; the first run only warms up. decision_latency is the time from a lapse until the \
            core notices it, mostly the wait for the next scan. Counts are those of all runs.

            Goals, on one processor core: 5,000,000 updates/s, and a scan of 1,000,000 instances in 1 ms.
            """
    )

    @Option(help: "The number of live instances.")
    var instances = 1_000_000

    @Option(help: "Updates per second, all threads together.")
    var rate = 2_000_000

    @Flag(help: "Search for the highest rate that the core keeps up with, from --rate on; then measure that rate.")
    var findLimit = false

    @Option(help: "The length of a run [s].")
    var seconds = 5

    @Option(help: "The number of threads; each has a part of the instances.")
    var jobs = 1

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--instances", instances, to: 1...100_000_000)
        try limit("--rate", rate, to: 1...1_000_000_000)
        try limit("--seconds", seconds, to: 1...86_400)
        try limit("--jobs", jobs, to: 1...min(instances, 1024))
    }

    func run() throws {
        options.show(
            try .core(
                instances: instances,
                rate: Double(rate),
                findLimit: findLimit,
                seconds: Int64(seconds),
                jobs: jobs,
                runs: options.runs
            )
        )
    }
}
