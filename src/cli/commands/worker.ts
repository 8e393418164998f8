// deep-research worker
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { integer } from "../../kernel/field.ts";
import { workInFleet, type WorkerEvent } from "../../operations/fleet/fleet-work.ts";
import { count } from "../../surface/words.ts";
import { defineCommand } from "../command.ts";
import { SERVER_EXITS, STORE_AWAY } from "../exits.ts";
import type { Host } from "../host.ts";
import { EVENTS } from "../options/options.ts";

const MAX_JOBS = 64;
const STANDARD_JOBS = 2;

export const command = defineCommand({
  description:
    "Works on the runs of a store that are due, next to any number of workers on other machines: each run has one owner. A run whose worker dies is taken over within some 11 seconds. What this worker lacks (documents, keys) it hands back to others. SIGTERM hands its runs on at once, and nothing is lost by kill -9.",
  seeAlso: ["start", "store status", "triage", "tick"],
  fields: {
    jobs: integer("N", "work on so many runs at the same time", { least: 1, most: MAX_JOBS }, STANDARD_JOBS),
  },
  options: EVENTS,
  examples: [
    ["worker --jobs 4", "on each machine; the store is in DEEP_RESEARCH_STORE"],
    ["worker --store-file /etc/deep-research/store --jobs 8", "as a service"],
  ],
  notes: ["Documents have to lie at the same path on every worker. docs/fleet.md sets a fleet up."],
  exits: [[0, "a first Ctrl-C or SIGTERM ended it; its runs continue elsewhere"], ...SERVER_EXITS, STORE_AWAY],
  async run(context, { jobs = STANDARD_JOBS }) {
    const { host, ports, common } = context;
    const signals = await context.takeSignals();
    const report = (event: WorkerEvent): void => {
      if (common.jsonl !== true && !common.quiet) host.write("stderr", `${eventText(event)}\n`);
    };
    const observer = common.jsonl === true ? await context.observe() : {};
    const outcome = await workInFleet(ports, { jobs, keys: keyDigests(host) }, report, observer, signals);
    return { outcome, text: () => `${count(outcome.result.runs_worked_on, "run")} worked on\n` };
  },
});

function eventText(event: WorkerEvent): string {
  switch (event.kind) {
    case "ready":
      return `ready for ${count(event.jobs, "run")} at a time`;
    case "begun":
      return `${event.run_root}: begun`;
    case "ended":
      return `${event.run_root}: ${event.how}`;
    case "lacks":
      return `${event.run_root}: handed back: ${event.what}`;
    case "away":
      return `waiting: ${event.reason}`;
  }
}

/** Enough to compare the keys of two workers, and not what they are. */
function keyDigests({ environment }: Pick<Host, "environment">): Record<string, string> {
  const keys = Object.entries(environment).filter(([name, value]) => name.endsWith("_API_KEY") && value);
  return Object.fromEntries(keys.map(([name, value]) => [name, hexOf(digestOfBytes(value ?? "")).slice(0, 8)]));
}
