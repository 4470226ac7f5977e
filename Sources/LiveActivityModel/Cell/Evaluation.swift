/// How a cell comes to its history: the same one either way, to the last bit of fingerprint and measurements.
///
/// ```
///                      lazy                                  straightforward
///  the monitor's look  when the deadline last known comes    after every event of an activity, one is appointed at the
///                      up; then at the one that it finds     deadline as it is then; nothing that stands is spared
///  scans               at deadlines rounded up to scans      really every instance at every scan
///  the phone's look    as the monitor's, hourly at least     as the monitor's
///  its connection      when somebody asks                    an event at every change
///  times and ages      where a class or a stage changes      before every event of an activity
///  draws for a request all at once, used or not              one by one, as far as needed
/// ```
///
/// Who acts first of several that are due at one instant is part of the history: whoever was reminded first. So the
/// straightforward way keeps the reminders for their order, and its own looks come last in their instant. They find
/// nothing left to do, unless a reminder is missing: then they act when it was time to act, and the histories part. What
/// it adds is not recorded: an event without any meaning is no part of the history.
///
/// Refreshes of rides whose screens nobody sees are not avoided: each is a recorded event of the ride and an occasion with a
/// number, by which later content is drawn. They make no push where there is nobody to send one to.
///
/// A lapse that no scan has found yet is counted in the window of the time series in which it is found. So the
/// straightforward way leaves it alone and accounts for nothing while it lasts, as an early account would find it.
enum Evaluation {
    /// Whatever can be avoided is avoided. The only way outside of tests.
    case lazy
    /// Nothing is avoided: slow, plain, and the oracle of the other.
    case straightforward
}
