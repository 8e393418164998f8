// The evidence of a run as its owner reads it.
import type { RunLog, RunWriter } from "../ports/run-log.ts";
import { Evidence, type EvidenceReader } from "../stages/evidence.ts";
import { verification } from "../stages/verification.ts";
import type { RunView } from "./run-view.ts";

/** Evidence read through the owner's handle, so that it is what the owner wrote. */
export function evidenceFor(store: RunLog, writer: RunWriter, view: RunView): Evidence {
  const reader: EvidenceReader = {
    readSteps: (stage) => writer.readSteps(stage),
    readResult: (ref) => writer.readResult(ref),
    readContent: (ref) => writer.readContent(ref),
    readRecords: async () => await view.records(),
    verification: async (draft) => await verification(store, writer.runRoot, draft),
  };
  return new Evidence(reader);
}
