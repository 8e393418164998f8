// A bug that was met while a step was done: which one, for the halt that tells of it.
export class BugInStep extends Error {
  override readonly name = "BugInStep";
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`a bug in the step ${step}`, { cause });
    this.step = step;
  }
}
