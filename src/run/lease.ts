// The lease: the time-bounded right to write a run.

export const MIN_LEASE_S = 1;
export const MAX_LEASE_S = 3600;

/** An owner that cannot refresh its lease stops its work after this share of it. */
export const STOP_WORK_SHARE = 0.75;

/** What a lease is held for: work on the run, or a further report of a run at rest. */
export type LeasePurpose = "work" | "report";
