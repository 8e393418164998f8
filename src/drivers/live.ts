// The live driver: language models with tools do the thinking; what they bring is checked by the same gates.
import type { Driver } from "../ports/driver.ts";
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { loadPerformers, PERFORMERS } from "./live/performers.ts";

/** Another prompt, tool or piece of its code is another version, and so drift. */
const driver = driverOf("live", `live-2+${CODE_DIGESTS.live}`, PERFORMERS);

export const liveDriver: Driver = {
  ...driver,
  // A run takes hours, and the program may be replaced meanwhile: the version would not name the code of later tasks.
  async perform(...asked) {
    await loadPerformers();
    return await driver.perform(...asked);
  },
};
