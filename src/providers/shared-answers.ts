// Sends equal queries once: later callers share the answer of the first. A query that failed is sent again.

export class SharedAnswers<T> {
  readonly #answers = new Map<string, Promise<T>>();

  knows(query: string): boolean {
    return this.#answers.has(keyOf(query));
  }

  /** Notes an answer of an earlier process. */
  note(query: string, answer: T): void {
    this.#answers.set(keyOf(query), Promise.resolve(answer));
  }

  async answer(query: string, send: () => Promise<T>): Promise<T> {
    const key = keyOf(query);
    // The first caller may have given up, which is no answer for the others.
    for (let known = this.#answers.get(key); known !== undefined; known = this.#answers.get(key)) {
      try {
        return await known;
      } catch {
        if (this.#answers.get(key) === known) this.#answers.delete(key);
      }
    }
    const sent = send();
    this.#answers.set(key, sent);
    sent.catch(() => {
      if (this.#answers.get(key) === sent) this.#answers.delete(key);
    });
    return await sent;
  }
}

function keyOf(query: string): string {
  return query.trim().replace(/\s+/g, " ").toLowerCase();
}
