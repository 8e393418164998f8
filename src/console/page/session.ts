// The state of the page: the runs, the one that is open, and the requests to the server.
import { Followed } from "./followed.ts";
import { LiveRun } from "./live-run.ts";
import { call, Refusal } from "./requests.ts";
import type { Listing, Reading, Snapshot } from "./wire.ts";

export const runs = new Followed<Listing | null>(null);
export const openId = new Followed<string | null>(idInAddress());
export const run = new Followed<Snapshot | Reading | null>(null);
export const live = new Followed<LiveRun | null>(null);
/** False on a read-only server: then the page offers nothing that the server would refuse. */
export const mayChange = new Followed(true);
/** Why the last request was refused. */
export const trouble = new Followed<Refusal | null>(null);
/** Read aloud once by a screen reader. */
export const said = new Followed("");

/** The command line lists the others. */
const MAX_LISTED = 500;
const RUN_MS = 2_000;
const LIST_MS = 6_000;
/** Reading takes at most one part in this many of the time. */
const MAX_SHARE = 20;
/** Changes that come together are read once. */
const TOGETHER_MS = 150;

function idInAddress(): string | null {
  const id = location.hash.slice(1);
  return /^[\w.!~*'()%-]+$/.test(id) ? id : null;
}

export function openRun(id: string | null): void {
  location.hash = id ?? "";
}

async function readRuns(): Promise<void> {
  try {
    const listing = await call<Listing>(`api/runs?limit=${MAX_LISTED}`);
    runs.value = listing;
    mayChange.value = !listing.is_read_only;
    if (trouble.value?.code === "UNREACHABLE") trouble.value = null;
  } catch (error) {
    note(error);
  }
}

async function readRun(): Promise<void> {
  const id = openId.value;
  if (id === null) return;
  const turn = ++turns;
  try {
    show(id, turn, await call<Snapshot | Reading>(`api/runs/${id}`));
  } catch (error) {
    note(error);
  }
}

let turns = 0;
let lastShown = 0;

/** Answers may come in another order than their requests. */
function show(id: string, turn: number, answer: Snapshot | Reading): void {
  if (id !== openId.value || turn < lastShown) return;
  lastShown = turn;
  run.value = answer;
  if (isSnapshot(answer)) live.value ??= new LiveRun(id, refreshSoon);
}

export function isSnapshot(answer: Snapshot | Reading): answer is Snapshot {
  return "revision" in answer;
}

/** Has something done to the open run; the answer, or null where the server refused, which the page then says. */
export async function act<Answer = unknown>(action: string, body: object = {}): Promise<Answer | null> {
  const id = openId.value;
  if (id === null) return null;
  return await attempt(async () => await call<Answer>(`api/runs/${id}/${action}`, body));
}

/** Makes another run of the open one, and opens it. */
export async function fork(options: object = {}, action = "fork"): Promise<void> {
  const made = await act<{ run_id: string }>(action, options);
  if (made !== null) openRun(made.run_id);
}

/** The run that the form is filled from. */
export const draft = new Followed<Snapshot | null>(null);

/** Fills the form for a new run from the open one. */
export function askAgain(): void {
  draft.value = run.value as Snapshot;
  openRun(null);
}

/** Begins a run and opens it. */
export async function start(options: object): Promise<void> {
  const begun = await attempt(async () => await call<{ run_id: string }>("api/runs", options));
  if (begun !== null) openRun(begun.run_id);
}

async function attempt<Answer>(request: () => Promise<Answer>): Promise<Answer | null> {
  trouble.value = null;
  try {
    return await request();
  } catch (error) {
    note(error);
    return null;
  } finally {
    void readRun();
    void readRuns();
  }
}

function note(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  // The process at work does it once its current work is on disk. Until then the run shows the request.
  if (error.code !== "REQUEST_PENDING") trouble.value = error;
}

let isRefreshDue = false;
function refreshSoon(): void {
  if (isRefreshDue) return;
  isRefreshDue = true;
  setTimeout(() => {
    isRefreshDue = false;
    void readRun();
  }, TOGETHER_MS);
}

/** Reads what the address names, and reads it again from time to time. */
export function begin(): void {
  addEventListener("hashchange", () => (openId.value = idInAddress()));
  openId.follow(() => {
    live.value?.close();
    live.value = null;
    run.value = null;
    trouble.value = null;
    void readRun();
  });
  void poll(readRun, RUN_MS);
  void poll(readRuns, LIST_MS);
}

/** Reads again and again while the page is visible, and less often where that takes the server long. */
async function poll(read: () => Promise<void>, leastMs: number): Promise<void> {
  const beganMs = performance.now();
  if (document.visibilityState === "visible") await read();
  setTimeout(() => void poll(read, leastMs), Math.max(leastMs, (performance.now() - beganMs) * MAX_SHARE));
}
