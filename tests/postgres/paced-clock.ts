// Lets a simulated clock go on by itself beside a real server: so many of its milliseconds pass in each real one.
import type { SimulatedClock } from "../simulation/world.ts";

/** Sleeps end at their very time. Returns what stops it. */
export function pace(clock: SimulatedClock, msInOne: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isOver = false;
  const step = async (): Promise<void> => {
    if (clock.timers > 0) await clock.advance(msInOne);
    if (!isOver) timer = setTimeout(() => void step(), 1);
  };
  timer = setTimeout(() => void step(), 1);
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
  };
}
