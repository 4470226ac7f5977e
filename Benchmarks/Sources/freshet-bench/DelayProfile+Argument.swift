public import ArgumentParser
public import Workloads

extension DelayProfile: ExpressibleByArgument {}
