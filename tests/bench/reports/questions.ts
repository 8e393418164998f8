// The twenty questions of the bench, each with its rubric.
import { LANGUAGES } from "./questions-languages.ts";
import { OFFICE } from "./questions-office.ts";
import type { Question } from "./rubric.ts";
import { SOFTWARE } from "./questions-software.ts";

export const QUESTIONS: readonly Question[] = [...SOFTWARE, ...OFFICE, ...LANGUAGES];
