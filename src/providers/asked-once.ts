// Asks equal questions once: the others get the answer of the first. A question that failed is asked again.

export class AskedOnce<T> {
  readonly #answers = new Map<string, Promise<T>>();

  knows(question: string): boolean {
    return this.#answers.has(keyOf(question));
  }

  /** Notes an answer of an earlier process. */
  note(question: string, answer: T): void {
    this.#answers.set(keyOf(question), Promise.resolve(answer));
  }

  async answer(question: string, ask: () => Promise<T>): Promise<T> {
    const key = keyOf(question);
    // The first caller may have given up, which is no answer for the others.
    for (let known = this.#answers.get(key); known !== undefined; known = this.#answers.get(key)) {
      try {
        return await known;
      } catch {
        if (this.#answers.get(key) === known) this.#answers.delete(key);
      }
    }
    const asked = ask();
    this.#answers.set(key, asked);
    asked.catch(() => {
      if (this.#answers.get(key) === asked) this.#answers.delete(key);
    });
    return await asked;
  }
}

function keyOf(question: string): string {
  return question.trim().replace(/\s+/g, " ").toLowerCase();
}
