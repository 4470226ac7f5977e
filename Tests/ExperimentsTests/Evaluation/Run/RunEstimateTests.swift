import Evaluation
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The estimate of a run")
struct RunEstimateTests {
    private static func estimate(_ change: (inout Scenario) -> Void) -> RunEstimate {
        var scenario = Scenario()
        change(&scenario)
        return RunEstimate(scenario)
    }

    @Test("A Poisson process: the integral of its rates, and the busiest interval of a ride's length")
    func poisson() {
        // Rides of 20 minutes.
        let constant = Self.estimate { $0.rides.arrivals.ratesPerHour = [60] }
        #expect(constant.rides == 60 && constant.liveActivities == 20)
        let varied = Self.estimate {
            $0.clock.duration = .minutes(150)
            $0.rides.arrivals.ratesPerHour = [60, 600]
        }
        #expect(varied.rides == 60 + 600 + 30 && varied.liveActivities == 200)
        let fast = Self.estimate {
            $0.rides.arrivals.ratesPerHour = [600, 0]
            $0.rides.arrivals.rateInterval = .minutes(5)
        }
        #expect(fast.rides == 300 && fast.liveActivities == 100)
    }

    @Test("Evenly spaced rides: all at once, over a period, beyond the end")
    func even() {
        func even(_ count: Int, spread: TimeSpan) -> RunEstimate {
            Self.estimate {
                $0.rides.arrivals.process = .even
                $0.rides.arrivals.count = count
                $0.rides.arrivals.spread = spread
            }
        }
        #expect(even(1000, spread: .zero).liveActivities == 1000)
        #expect(even(1000, spread: .minutes(40)).liveActivities == 500)
        #expect(even(1000, spread: .hours(2)).rides == 500)
    }

    @Test("The largest possible values cause no overflow")
    func hostile() {
        let estimate = Self.estimate {
            $0.rides.arrivals.process = .even
            $0.rides.arrivals.count = .max
            $0.rides.scale = 1e300
            $0.content.refresh = .constant(0)
        }
        #expect(estimate.liveActivities > 1e300 && estimate.events > 1e300)
        let rates = Self.estimate {
            $0.clock.duration = TimeSpan(microseconds: .max / 4)
            $0.rides.arrivals.ratesPerHour = [1e300]
            $0.rides.arrivals.rateInterval = TimeSpan(microseconds: 1)
        }
        #expect(rates.rides > 1e300)
    }
}
