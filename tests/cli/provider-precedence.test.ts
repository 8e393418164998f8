// The command line chooses the provider, else the workspace, else the user; the run keeps who chose.
import { expect, setDefaultTimeout, test } from "bun:test";
import { answerIn, LivePlace } from "./live-place.ts";

setDefaultTimeout(600_000);

const WEB = { web: { seeds: ["http://127.0.0.1:9/"] } };
const USERS_WEB = { provider: ["web"], providers: WEB };

test.each<[string, { user?: object; workspace?: object; flag?: string }, [string, string]]>([
  ["nobody", { user: { providers: WEB } }, ["filesystem", "default"]],
  ["the user", { user: USERS_WEB }, ["web", "user"]],
  [
    "the user, and the workspace by a list",
    { user: USERS_WEB, workspace: { providers: ["filesystem"] } },
    ["filesystem", "workspace"],
  ],
  [
    "the user, and the workspace by name",
    { user: USERS_WEB, workspace: { provider: ["filesystem"] } },
    ["filesystem", "workspace"],
  ],
  ["the workspace by name", { user: { providers: WEB }, workspace: { provider: ["web"] } }, ["web", "workspace"]],
  ["all three", { user: USERS_WEB, workspace: { providers: ["web"] }, flag: "filesystem" }, ["filesystem", "run"]],
])("said by %s", async (_who, { user = {}, workspace, flag }, [id, from]) => {
  await using place = await LivePlace.open();
  place.user(user);
  if (workspace !== undefined) place.workspace(workspace);
  const said = flag === undefined ? [] : ["--provider", flag];
  const made = await place.run(["init", "What is a lease?", "--run-id", "dr_live", "--corpus", "docs", ...said]);
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
  await place.run(["tick", place.runRoot]);
  const { provenance } = answerIn(await place.run(["inspect", place.runRoot, "--json"])).result as {
    provenance: object[];
  };
  expect(provenance[0]).toMatchObject({
    requested_provider_id: id,
    resolved_provider_id: id,
    resolved_from: from,
  });
});
