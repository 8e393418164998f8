// The option that names an age: 45m, 12h, 30d, 8w.
import { wrongValue, type ValueSpec } from "./options.ts";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** In milliseconds. */
export function age(value: string, about: string): ValueSpec<number> {
  return {
    kind: "value",
    value,
    text: about,
    read(raw) {
      const [, number, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(raw) ?? [];
      const unitMs = UNIT_MS[unit];
      if (number === undefined || unitMs === undefined) throw wrongValue(raw, "an age as 45m, 12h, 30d or 8w");
      return Number(number) * unitMs;
    },
  };
}
