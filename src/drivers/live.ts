// The live driver: language models with tools do the thinking; what they bring is checked by the same gates.
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { PERFORMERS } from "./live/performers.ts";

/** Another prompt, tool or piece of its code is another version, and so drift. */
export const liveDriver = driverOf("live", `live-2+${CODE_DIGESTS.live}`, PERFORMERS);
