// The checks that `doctor` makes of a store and its fleet: whether it answers, its schema, its clock, and whether the workers are alike.
import { typedError } from "../../kernel/typed-error.ts";
import type { SeenWorker } from "../../ports/fleet.ts";
import type { Ports } from "../../ports/ports.ts";
import type { StoreStatus } from "../../ports/store-server.ts";
import { withServer } from "../store/with-server.ts";
import { ok, problem, warning, type Check } from "./doctor.ts";

/** The server's clock judges leases; by more than this the times of records would mislead. */
export const MAX_SKEW_MS = 1_000;

export async function checkStore(ports: Ports): Promise<Check[]> {
  try {
    const status = await withServer(ports, (server) => server.status());
    const workers = status.version === 0 ? [] : ((await ports.fleet?.workers()) ?? []);
    return [...statusChecks(status), ...workerChecks(workers, ports.toolVersion)];
  } catch (error) {
    const { code, facts } = typedError(error);
    return [problem("store", facts.reason ?? code, "store status says more; docs/fleet.md sets one up")];
  }
}

function statusChecks(status: StoreStatus): Check[] {
  const { store, schema, version, needed_version: needed, server_version, role, skew_ms } = status;
  const about = `${store}, PostgreSQL ${server_version}, schema ${schema}, as ${role}`;
  const first = status.is_standby
    ? problem("store", `${about}: a standby that takes no writes`, "name the primary server")
    : version < needed
      ? problem("store", `${about}: version ${version} of the schema, and ${needed} is needed`, "store migrate")
      : version > needed
        ? warning(
            "store",
            `${about}: version ${version} of the schema is newer than this program`,
            "upgrade deep-research",
          )
        : ok("store", about);
  const skew = `this clock is ${Math.abs(skew_ms)} ms ${skew_ms > 0 ? "ahead of" : "behind"} the server's`;
  const clock =
    Math.abs(skew_ms) > MAX_SKEW_MS
      ? warning("store clock", skew, "set the clock of this machine: leases do not mind, the times of records do")
      : ok("store clock", skew);
  const waiting = status.roots.flatMap(({ root, given_up }) =>
    given_up === 0
      ? []
      : [
          warning(
            "store runs",
            `${given_up} of ${root} failed again and again: no worker takes them`,
            `triage --all --runs-root ${root}`,
          ),
        ],
  );
  return [first, clock, ...waiting];
}

function workerChecks(workers: readonly SeenWorker[], ownVersion: string): Check[] {
  if (workers.length === 0) return [ok("workers", "none is there now")];
  const versions = [...new Set([ownVersion, ...workers.map(({ tool_version }) => tool_version)])];
  const jobs = workers.reduce((sum, worker) => sum + worker.jobs, 0);
  const about = `${workers.length} for ${jobs} runs at a time`;
  const first =
    versions.length === 1
      ? ok("workers", about)
      : warning(
          "workers",
          `${about}, of versions ${versions.toSorted().join(", ")}`,
          "upgrade them one after the other",
        );
  const names = [...new Set(workers.flatMap(({ keys }) => Object.keys(keys)))].toSorted();
  const unlike = names.filter((name) => new Set(workers.map(({ keys }) => keys[name] ?? "")).size > 1);
  return [
    first,
    ...unlike.map((name) =>
      warning(
        "workers",
        `${name} is not the same on all of them`,
        "a run that needs it waits for a worker that has it",
      ),
    ),
  ];
}
