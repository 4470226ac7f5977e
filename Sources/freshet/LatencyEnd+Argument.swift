public import ArgumentParser
public import Experiments

extension SendLog.LatencyEnd: ExpressibleByArgument {}
