// The environment: where runs are kept, what is refused, what counts as unset.
import { describe, expect, test } from "bun:test";
import { readEnvironment, type Environment } from "../../src/cli/configuration/environment.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { FakeHost } from "./fake-host.ts";

function read(environment: Record<string, string>): Environment {
  const host = new FakeHost([], {});
  return readEnvironment(Object.assign(host, { environment, workingFolder: "/somewhere" }));
}

describe("the runs root", () => {
  test("comes from its variable, then XDG, then HOME", () => {
    expect(read({ HOME: "/home/x", XDG_DATA_HOME: "/data", DEEP_RESEARCH_RUNS_ROOT: "/runs" }).runsRoot()).toBe(
      "/runs",
    );
    expect(read({ HOME: "/home/x", DEEP_RESEARCH_RUNS_ROOT: "here" }).runsRoot()).toBe("/somewhere/here");
    expect(read({ HOME: "/home/x", XDG_DATA_HOME: "/data" }).runsRoot()).toBe("/data/deep-research/runs");
    expect(read({ HOME: "/home/x" }).runsRoot()).toBe("/home/x/.local/share/deep-research/runs");
  });

  test("empty and relative XDG values count as unset", () => {
    expect(read({ HOME: "/home/x", XDG_DATA_HOME: "", DEEP_RESEARCH_RUNS_ROOT: "" }).runsRoot()).toBe(
      "/home/x/.local/share/deep-research/runs",
    );
    expect(read({ HOME: "/home/x", XDG_DATA_HOME: "rel" }).runsRoot()).toBe("/home/x/.local/share/deep-research/runs");
  });

  test("without HOME only a command that needs a runs root fails", () => {
    const environment = read({});
    expect(environment.indexFolder).toBeNull();
    expect(() => environment.runsRoot()).toThrow(RunError);
  });
});

test("the index is in the cache", () => {
  expect(read({ HOME: "/home/x" }).indexFolder).toBe("/home/x/.cache/deep-research/index");
  expect(read({ HOME: "/home/x", XDG_CACHE_HOME: "/cache" }).indexFolder).toBe("/cache/deep-research/index");
});

describe("numbers", () => {
  test("are read, and a lease without a heartbeat gets one", () => {
    expect(read({ DEEP_RESEARCH_LEASE_SECONDS: "2" }).lease).toEqual({ lease_seconds: 2, heartbeat_seconds: 0.5 });
    expect(read({ DEEP_RESEARCH_HEARTBEAT_SECONDS: "0.05" }).lease).toEqual({ heartbeat_seconds: 0.05 });
    expect(read({ DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "90" }).stageTimeoutSeconds).toBe(90);
    expect(read({ DEEP_RESEARCH_LEASE_SECONDS: "" }).lease).toEqual({});
  });

  test("are refused with the name of their variable", () => {
    const bad: [string, string][] = [
      ["DEEP_RESEARCH_LEASE_SECONDS", "0"],
      ["DEEP_RESEARCH_LEASE_SECONDS", "3601"],
      ["DEEP_RESEARCH_LEASE_SECONDS", "abc"],
      ["DEEP_RESEARCH_HEARTBEAT_SECONDS", "-1"],
      ["DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS", "1e99"],
    ];
    for (const [name, value] of bad) {
      try {
        read({ [name]: value });
        throw new Error(`${name}=${value} was taken`);
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_ARGS", facts: { variable: name } });
      }
    }
  });

  test("a heartbeat as long as the lease is refused", () => {
    expect(() => read({ DEEP_RESEARCH_LEASE_SECONDS: "2", DEEP_RESEARCH_HEARTBEAT_SECONDS: "2" })).toThrow(RunError);
  });
});
