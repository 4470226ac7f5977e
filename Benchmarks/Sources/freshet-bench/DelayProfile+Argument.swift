public import ArgumentParser
public import Benchmarking

extension DelayProfile: ExpressibleByArgument {}
