// The store that runs are kept in: what the command line, a variable, a file of its own or the configuration says of it.
import { isAbsolute, resolve } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { given } from "../../kernel/given.ts";
import type { StoreConfig } from "../../wiring.ts";
import type { Host } from "../host.ts";
import { COMMON, type CommonValues } from "../options/options.ts";
import type { Configuration } from "./configuration.ts";

const MAX_FILE_BYTES = 64 * 1024;
/** Where runs are kept in a store when nothing says where. A runs root in a store is a name that begins with a slash. */
export const STORED_RUNS_ROOT = "/runs";

/** Undefined for runs in folders. Errors: `INVALID_ARGS.store`. */
export function namedStore(
  host: Pick<Host, "workingFolder" | "readSmallFile">,
  { store, store_file, store_schema }: Pick<CommonValues, "store" | "store_file" | "store_schema">,
  configuration: Configuration,
): StoreConfig | undefined {
  if (store !== undefined && store_file !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "--store and --store-file exclude each other", option: "--store" });
  if (store !== undefined) refusePassword(store);
  const schema = store_schema ?? (configuration.find("store_schema", COMMON.store_schema)?.value as string | undefined);
  const url = store ?? (store_file === undefined ? configuredUrl(host, configuration) : urlIn(host, store_file));
  return url === undefined ? undefined : { url, ...given({ schema }) };
}

/** Each user of a machine can read a command line. Errors: `INVALID_ARGS.store`. */
export function refusePassword(url: string): void {
  if (!URL.canParse(url) || new URL(url).password === "") return;
  throw new RunError("INVALID_ARGS.store", {
    reason: "a password has no place on a command line, which every user of the machine can read",
    option: "--store",
  });
}

/** A variable goes before the files; of the two that say it, the URL goes first. */
function configuredUrl(
  host: Pick<Host, "workingFolder" | "readSmallFile">,
  configuration: Configuration,
): string | undefined {
  const url = configuration.find("store", COMMON.store);
  const file = configuration.find("store_file", COMMON.store_file);
  const isNearer =
    url !== undefined && (file === undefined || url.origin.kind === "variable" || file.origin.kind !== "variable");
  if (isNearer) return url.value as string;
  return file === undefined ? undefined : urlIn(host, file.value as string);
}

function urlIn(host: Pick<Host, "workingFolder" | "readSmallFile">, named: string): string {
  const path = isAbsolute(named) ? named : resolve(host.workingFolder, named);
  const wrong = (reason: string): RunError => new RunError("INVALID_ARGS.store", { reason, path });
  const found = host.readSmallFile(path, MAX_FILE_BYTES);
  if (found.kind === "absent") throw wrong("the file that names the store is not there");
  if (found.kind === "refused") throw wrong(`the file that names the store cannot be read: ${found.why}`);
  const url = decodeUtf8(found.bytes).trim();
  if (url === "") throw wrong("the file that names the store is empty");
  return url;
}

/** A URL without what it says of the user, for lists of settings. */
export function withoutUser(url: unknown): unknown {
  if (typeof url !== "string" || !URL.canParse(url)) return typeof url === "string" ? "(no URL)" : url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
