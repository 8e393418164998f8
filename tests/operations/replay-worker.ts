// A process that replays a bundle and is killed in the middle of a step: argv holds the bundle, the runs root, the step's number.
import { startRun } from "../../src/operations/change/start-run.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../../src/ports/driver.ts";
import { replayOptions } from "./replayed.ts";
import { testPorts } from "./made-run.ts";

const [bundle = "", runsRoot = "", nth = ""] = process.argv.slice(2);
const ports = testPorts();
let begun = 0;

function dying(driver: Driver): Driver {
  async function perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools) {
    if (++begun === Number(nth)) process.kill(process.pid, "SIGKILL");
    return await driver.perform(kind, input, tools);
  }
  return { ...driver, perform };
}

const loadDriver: typeof ports.loadDriver = async (...asked) => dying(await ports.loadDriver(...asked));
await startRun({ ...ports, loadDriver }, replayOptions(bundle, runsRoot), {});
