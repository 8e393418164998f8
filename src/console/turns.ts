// Takes changes of one run in turn where each expects a revision: of two that expect the same, the second is refused.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(runRoot: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(runRoot) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(runRoot, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(runRoot) === mine) this.#last.delete(runRoot);
    }
  }
}
