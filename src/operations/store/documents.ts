// `documents push` and `documents list`: documents in the store, which each worker reads without a mount.
import { RunError } from "../../kernel/errors.ts";
import type { PushedDocuments, StoredDocuments } from "../../ports/documents.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Outcome } from "../outcome.ts";

export async function pushDocuments(ports: Ports, name: string, folder: string): Promise<Outcome<PushedDocuments>> {
  return { result: await documentsOf(ports).push(name, folder), run: null, error: null };
}

export async function listDocuments(ports: Ports): Promise<Outcome<{ documents: PushedDocuments[] }>> {
  return { result: { documents: await documentsOf(ports).list() }, run: null, error: null };
}

/** Errors: `INVALID_ARGS.store` where runs lie in folders. */
function documentsOf({ documents }: Ports): StoredDocuments {
  if (documents !== undefined) return documents;
  throw new RunError("INVALID_ARGS.store", {
    reason: "documents are pushed to a store, and none is named",
    option: "--store",
  });
}
