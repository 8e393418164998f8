// Times and money of a timeline, as every surface says them.
import type { TimelineWords } from "../pages/timeline-picture.ts";
import { dollars } from "./usage-words.ts";
import { moment } from "./words.ts";

export const TIMELINE_WORDS: TimelineWords = {
  time: (ms) => moment(new Date(ms).toISOString()),
  dollars,
};
