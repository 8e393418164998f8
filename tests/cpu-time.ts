// The time that a process has worked: on a busy machine the clock says nothing of how much something costs.

/** Milliseconds of work of this process since then. */
export function workedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
