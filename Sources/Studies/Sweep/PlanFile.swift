import LiveActivityModel
import ScenarioLanguage
import TextFormats

/// `plan.json`: the plan, and its tasks for schedulers, numbered from 0.
struct PlanFile {
    struct Task {
        let id: String
        let point: Int
        let replication: Int
        let firstCell: Int
        let cells: Int
    }

    let name: String
    /// The hash of the model's history, which identifies its version.
    let model: String
    let plan: Plan
    let tasks: [Task]

    init(plan: Plan, sweep: Sweep, model: String) {
        name = sweep.experiment.scenario.name
        self.model = model
        self.plan = plan
        tasks = sweep.tasks.map { task in
            Task(
                id: "\(task.id)",
                point: task.point,
                replication: task.replication,
                firstCell: task.cells.lowerBound,
                cells: task.cells.count
            )
        }
    }
}

extension PlanFile {
    var json: JSONValue {
        let tasks = tasks.enumerated()
            .map { number, task -> JSONValue in
                [
                    "task": .integer(Int64(number)), "id": .string(task.id), "point": .integer(Int64(task.point)),
                    "replication": .integer(Int64(task.replication)), "first_cell": .integer(Int64(task.firstCell)),
                    "cells": .integer(Int64(task.cells)),
                ]
            }
        return ["name": .string(name), "model": .string(model), "plan": plan.json, "tasks": .array(tasks)]
    }

    /// Parses a file; nil if it is of another version, or if its tasks are out of order.
    init?(json bytes: [UInt8]) {
        guard let file = try? JSONMembers(bytes), let name = file["name"]?.text, let model = file["model"]?.text,
            let plan = file["plan"]?.members.flatMap({ Plan(json: $0) }), let tasks = file["tasks"]?.elements
        else { return nil }
        (self.name, self.model, self.plan) = (name, model, plan)
        var read: [Task] = []
        for (number, task) in tasks.enumerated() {
            guard let task = task.members, task["task"]?.integer() == number, let id = task["id"]?.text,
                let point: Int = task["point"]?.integer(), let replication: Int = task["replication"]?.integer(),
                let firstCell: Int = task["first_cell"]?.integer(), let cells: Int = task["cells"]?.integer()
            else { return nil }
            read.append(Task(id: id, point: point, replication: replication, firstCell: firstCell, cells: cells))
        }
        self.tasks = read
    }
}

extension Plan {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "format": .integer(Int64(Plan.formatVersion)), "file": .string(file),
            "settings": .array(settings.map { .string($0) }), "only": .array(only.map { .string($0) }),
        ]
        if let replications { members["replications"] = .integer(Int64(replications)) }
        return .object(members)
    }

    /// Parses a plan; nil if it is of another version.
    fileprivate init?(json members: JSONMembers) {
        guard members["format"]?.integer() == Plan.formatVersion, let file = members["file"]?.text,
            let settings = members["settings"]?.texts, let only = members["only"]?.texts
        else { return nil }
        self.init(file: file, settings: settings, replications: members["replications"]?.integer(), only: only)
    }
}

extension JSONMembers.Value {
    /// The elements of an array of strings; nil for anything else.
    fileprivate var texts: [String]? {
        guard let texts = elements?.map(\.text), !texts.contains(nil) else { return nil }
        return texts.compactMap(\.self)
    }
}
