import Benchmarking
import Testing

/// M/M/1 compared with its closed form.
@Suite("Single-server queue")
struct SingleServerQueueTests {
    @Test("With a load of 0.9 there are 9 customers in the system on average, each for 9 s")
    func means() {
        var queue = SingleServerQueue()
        queue.run(units: 20_000)
        var (numbers, times): ([Double], [Double]) = ([], [])
        for _ in 0..<20 {
            let (served, time, elapsed) = (queue.servedCount, queue.timeInSystem, queue.elapsedMicroseconds)
            queue.run(units: 30_000)
            let batchTime = Double(queue.timeInSystem - time) / 1e6
            times.append(batchTime / Double(queue.servedCount - served))
            // Little's law; in a batch of this length the customers in the system at its ends hardly matter.
            numbers.append(batchTime / (Double(queue.elapsedMicroseconds - elapsed) / 1e6))
        }
        for means in [numbers, times] {
            let mean = means.reduce(0, +) / 20
            let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19
            let standardError = (variance / 20).squareRoot()
            // Student's t with 19 degrees of freedom at 99.9%.
            #expect(abs(mean - 9) < 3.883 * standardError)
            #expect(standardError < 0.5)
        }
    }

    @Test("Customers are in the system from their arrival on, served in order, and none is lost")
    func customers() {
        var queue = SingleServerQueue()
        queue.run(units: 1)
        #expect(queue.servedCount == 1)
        queue.run(units: 4999)
        #expect(queue.servedCount == 5000)
        #expect(queue.customersInSystem >= 0)
        #expect(queue.timeInSystem > 0)
    }
}
