// A store in PostgreSQL does what every run log does.
import { afterAll, beforeAll, describe } from "bun:test";
import { testAwayStore, type AwayWorld } from "../conformance/away-store.ts";
import { testHandedOver } from "../conformance/handed-over.ts";
import { Link } from "../conformance/link.ts";
import { testOwners } from "../conformance/owners.ts";
import { testRunLog } from "../conformance/run-log.ts";
import { testRuns } from "../conformance/runs.ts";
import { SimulatedWorld } from "../simulation/world.ts";
import { CutLink } from "./cut-link.ts";
import { postgresWorld } from "./postgres-world.ts";
import { PrivateServer, WHY_NO_SERVER } from "./private-server.ts";

let server: PrivateServer;
describe.skipIf(WHY_NO_SERVER !== null)("PostgreSQL", () => {
  beforeAll(async () => {
    server = await PrivateServer.start();
  });
  afterAll(() => server[Symbol.dispose]());

  const makeWorld = () => postgresWorld(server);
  testRunLog("rows", makeWorld);
  testOwners("rows", makeWorld);
  testHandedOver("rows", makeWorld);
  testRuns("rows", makeWorld);
  testAwayStore("rows", behindLink);
});

/** The first process reaches the server over a link. */
async function behindLink(): Promise<AwayWorld> {
  const world = new SimulatedWorld();
  const link = new Link(world.clock);
  const way = await CutLink.to(server.port, () => link.state);
  const reached = await postgresWorld(server, world, { port: way.port, msInOne: 20 });
  return {
    ...reached,
    link,
    async end() {
      way[Symbol.dispose]();
      await reached.end();
    },
  };
}
