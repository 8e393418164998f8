// The trust rule: how far anyone but the user (the file of a workspace, an agent over MCP) may say a setting, by the data of each field.
import { sep } from "node:path";
import type { Trust } from "../../kernel/field.ts";
import { shortened } from "../../kernel/shortened.ts";
import { isPageName } from "../../ports/provider.ts";
import { isStoredDocuments } from "../../run/settings/stored-documents.ts";
import { PROVIDER_IDS } from "../../run/common.ts";
import { DEFAULT_DRIVER, DEFAULT_PROVIDER, SENSITIVITIES } from "../../run/settings/fields.ts";

export interface Bounds {
  /** What the user says of a field by its name; undefined where that is nothing and nothing is built in. */
  readonly saidByUser: (key: string) => unknown;
  /** Folders, and files, that may be named. */
  folders: readonly string[];
  readonly realPath: (path: string) => string;
}

export interface Refusal {
  /** What they may, as words behind "a workspace may" or "an agent may". */
  may: string;
  found: unknown;
}

const MAX_SHOWN = 200;

/** Null where they may say it. Paths are absolute. */
export function refusalOf(key: string, { may, why, free = [] }: Trust, value: unknown, bounds: Bounds): Refusal | null {
  const values: unknown[] = [value].flat();
  const users: unknown[] = [bounds.saidByUser(key)].flat().filter((one) => one !== undefined);
  const because = `, for ${why}`;
  switch (may) {
    case "nothing":
      return { may: `not say this${because}`, found: value };
    case "same":
    case "fewer": {
      const other = values.find((one) => !users.includes(one) && !free.includes(String(one)));
      if (other === undefined) return null;
      return { may: `only say here what the user's own configuration says${because}`, found: other };
    }
    case "stricter":
    case "less": {
      const ours = users[0] as string | number | undefined;
      const isLooser = ours !== undefined && values.some((one) => rankOf(may, one) > rankOf(may, ours));
      return isLooser ? { may: `not be looser than the user's ${ours}`, found: value } : null;
    }
    case "inside": {
      const page = values.find((one) => isPageName(String(one)));
      if (page !== undefined && ![bounds.saidByUser("provider")].flat().includes("web"))
        return { may: "name a page only where the user's own providers have web", found: page };
      const stored = values.find((one) => isStoredDocuments(String(one)) && !users.includes(one));
      if (stored !== undefined)
        return { may: "name documents of the store only where the user's configuration does", found: stored };
      const outside = values.find(
        (one) => !isStoredDocuments(String(one)) && !isPageName(String(one)) && !isInside(String(one), bounds),
      );
      if (outside === undefined) return null;
      const where = bounds.folders.map((folder) => shortened(folder, MAX_SHOWN)).join(", ");
      return {
        may: `only name paths inside ${where === "" ? "folders of the user's" : where}${because}`,
        found: outside,
      };
    }
  }
}

/** The larger the looser. */
function rankOf(may: "stricter" | "less", value: unknown): number {
  if (may === "stricter") return -(SENSITIVITIES as readonly unknown[]).indexOf(value);
  return value === undefined ? Infinity : Number(value);
}

export function isInside(path: string, { folders, realPath }: Pick<Bounds, "folders" | "realPath">): boolean {
  const real = realPath(path) + sep;
  return folders.some((folder) => real.startsWith(realPath(folder).replace(/\/?$/, sep)));
}

/** What the user says of an option by its key, with what is built in, from what his configuration says. */
export function saidByUser(configured: (key: string) => unknown): (key: string) => unknown {
  return (key) => {
    // Without a list, what the user has set up may be named.
    if (key === "provider")
      return (
        [configured(key), configured("providers")].find(Array.isArray) ??
        PROVIDER_IDS.filter((id) => id === DEFAULT_PROVIDER || configured(`providers.${id}`) !== undefined)
      );
    if (key === "driver") return configured(key) ?? (configured("model") === undefined ? DEFAULT_DRIVER : "live");
    return configured(key);
  };
}
