// The exit statuses that many commands share, worded once for help.

type Exit = readonly [number, string];

/** 128 and the number of the signal. */
export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

export const BAD_USAGE: Exit = [2, "bad usage or input"];
export const NOT_READ: Exit = [1, "something could not be read"];
export const NO_SUCH_RUN: Exit = [10, "no such run"];
export const DAMAGED: Exit = [12, "the run is damaged: see verify and repair"];

/** Of commands that look and change nothing. */
export const LOOK_EXITS: readonly Exit[] = [
  [0, "success, whatever state the run is in"],
  NOT_READ,
  BAD_USAGE,
  NO_SUCH_RUN,
  DAMAGED,
];

/** Of commands that work on a run until it stops. */
export const WORK_EXITS: readonly Exit[] = [
  [0, "completed, already so, or stopped where it was asked to"],
  [1, "the run failed, or its state does not allow this"],
  BAD_USAGE,
  [3, "halted: somebody has to act (the next commands are printed)"],
  [4, "halted until a quota is free again"],
  NO_SUCH_RUN,
  [11, "another process works on the run"],
  DAMAGED,
  [13, "the lease was lost while working"],
  [70, "a bug: the run is halted with its facts"],
  [129, "the terminal was closed (SIGHUP): the run is interrupted"],
  [130, "Ctrl-C: the run is paused"],
  [143, "SIGTERM: the run is interrupted"],
];

/** Exit statuses of every command that lists none of its own for signals. */
export const SIGNAL_EXITS: readonly Exit[] = [
  [129, "ended by a closed terminal (SIGHUP); other signals that end it add their number to 128, too"],
  [130, "ended by Ctrl-C"],
  [143, "ended by SIGTERM"],
];

/** Of commands that change a run in one go. */
export const CHANGE_EXITS: readonly Exit[] = [
  [0, "done"],
  [1, "not possible in the run's state, or not written"],
  BAD_USAGE,
  NO_SUCH_RUN,
  [11, "another process works on the run"],
  DAMAGED,
];
