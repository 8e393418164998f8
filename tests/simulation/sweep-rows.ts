// The rows of the full sweep, as docs/guarantees.md shows them.

export const SWEEP_TABLES = {
  "whole runs": [
    "killed before, in or after every effect that changes the disk",
    "killed again while recovering",
    "power cut behind every effect that changes the disk",
    "power cut behind a failed fsync",
    "ENOSPC, EIO, EMFILE, EINTR, EROFS at every effect",
    "short writes",
    "frozen at every effect while a rival finishes",
    "frozen before every commit",
    "`pause`, `abort`, `report generate`, `report select`, `fork`, `ask`: killed or disk full",
    "prompts and `agent-result`: killed or disk full",
    "answers submitted, sources attached, `approve`, roles outside: killed or disk full",
    "SIGKILL of real processes",
  ],
  "runs with models": [
    "with models: killed",
    "with models: killed again while recovering",
    "with models: power cut",
    "with models: failing disk",
    "with models: frozen while a rival finishes",
    "`settle`, `verify --retry`, budget: killed or disk full",
    "with models: SIGKILL of real processes",
    "journal cut behind every record",
  ],
  "the store alone": [
    "killed at every effect",
    "killed again at every effect of the recovery",
    "torn lines",
    "store: power cut at every effect",
    "kill, then power cut at every effect of the recovery",
    "five errnos at every effect, once and for ever",
    "store: short writes",
    "failed fsync of the journal",
    "failed fsync, then kill or errno in the recovery",
    "frozen, once and twice, while a rival works",
    "content stored late",
    "watched while the owner is killed or its disk fails",
    "every byte of journal and manifest damaged",
    "repair killed, or on a failing disk",
    "rivals on one stale lock, 8 at once",
    "rivals on one run, 20 at once",
  ],
} as const;

export type SweepRow = (typeof SWEEP_TABLES)[keyof typeof SWEEP_TABLES][number];
