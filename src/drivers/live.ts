// The live driver lets language models with tools do the thinking. The same gates check their results.
import type { Driver } from "../ports/driver.ts";
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { loadPerformers, PERFORMERS } from "./performers.ts";

/** Its version changes with each prompt, tool and piece of its code, so that a change is drift. */
const driver = driverOf("live", `live-2+${CODE_DIGESTS.live}`, PERFORMERS);

export const liveDriver: Driver = {
  ...driver,
  // The code of all tasks is loaded first. If the program were replaced meanwhile, later tasks would run other code than the
  // version names.
  async perform(...task) {
    await loadPerformers();
    return await driver.perform(...task);
  },
};
