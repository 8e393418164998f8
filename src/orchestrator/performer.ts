// The driver that performs the steps of a run, and the finished steps that a forked run may take over instead.
import { parseStrictJson } from "../kernel/strict-json.ts";
import { z } from "../kernel/zod.ts";
import { checkModels, usableReranker } from "../conversations/model-check.ts";
import type { Driver, TaskKind } from "../ports/driver.ts";
import type { Ports } from "../ports/ports.ts";
import { parseBundle, type Bundle } from "../run/log/bundle.ts";
import { parseWith } from "../run/common.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { ROLES, type Role } from "../run/role.ts";
import type { Settings } from "../run/settings/settings.ts";
import { stepOfferSchema, type StepOffer } from "../run/log/step.ts";

export interface Performer {
  driver: Driver;
  /** The roles that agents and people outside play. */
  outside: ReadonlySet<Role>;
  /** Finished steps of the run that this one was forked from. */
  offers: ReadonlyMap<string, StepOffer>;
}

/** Errors: `INVALID_ARGS` when a model of the run has no key, or may not be reached. */
export async function loadPerformer(
  ports: Ports,
  runRoot: string,
  { settings, query, forked_from }: Readonly<Manifest>,
): Promise<Performer> {
  if (settings.models !== undefined) checkModels(await ports.loadModels(), settings.models, query.sensitivity);
  if (settings.rank?.by === "endpoint") await usableReranker(ports, query.sensitivity);
  const { driver, outside } = await loadDriverFor(ports, settings, await bundleOf(ports, runRoot, settings));
  const ref = forked_from?.offers ?? null;
  if (ref === null) return { driver, outside, offers: new Map() };
  const text = await ports.store.readContent(runRoot, ref);
  const offers = parseWith(z.array(stepOfferSchema), parseStrictJson(text), { path: ref.path });
  return { driver, outside, offers: new Map(offers.map((offer) => [offer.key, offer])) };
}

/**
 * The driver of a run. Where some roles are outside and no model plays the others, their tasks go to the driver `task`.
 */
export async function loadDriverFor(
  ports: Pick<Ports, "loadDriver">,
  settings: Pick<Settings, "driver" | "role_drivers">,
  bundle?: Bundle,
): Promise<Pick<Performer, "driver" | "outside">> {
  const own = await ports.loadDriver(settings.driver, bundle);
  const outside = rolesOutside(settings);
  const handsOver = outside.size > 0 && settings.driver !== "live" && settings.driver !== "task";
  return { driver: handsOver ? withTasksOutside(own, await ports.loadDriver("task"), outside) : own, outside };
}

function rolesOutside({ driver, role_drivers = {} }: Pick<Settings, "driver" | "role_drivers">): ReadonlySet<Role> {
  return new Set(ROLES.filter((role) => driver === "task" || role_drivers[role] !== undefined));
}

const ROLE_OF: Readonly<Record<Exclude<TaskKind, "summarize">, Role>> = {
  plan: "planner",
  draft_plan: "planner",
  pivot: "planner",
  research: "researcher",
  fill_gap: "researcher",
  judge_findings: "verifier",
  check_citations: "verifier",
  judge_claims: "verifier",
  draft: "writer",
  outline: "writer",
  section: "writer",
  answer: "writer",
  review: "reviewer",
};

function withTasksOutside(own: Driver, task: Driver, outside: ReadonlySet<Role>): Driver {
  return {
    ...own,
    // A new version of either one is another driver.
    version: `${own.version}, ${task.version}`,
    perform: async (kind, input, tools) => {
      const isOutside = kind !== "summarize" && outside.has(ROLE_OF[kind]);
      return await (isOutside ? task : own).perform(kind, input, tools);
    },
  };
}

async function bundleOf({ store }: Ports, runRoot: string, { bundle }: Settings): Promise<Bundle | undefined> {
  if (bundle === undefined) return undefined;
  const { path } = bundle.content;
  return parseBundle(parseStrictJson(await store.readContent(runRoot, bundle.content)), { run_root: runRoot, path });
}
