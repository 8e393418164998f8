// Answers to equal questions: the first one is asked, the others get its answer. What failed is asked anew.

export class AskedOnce<T> {
  readonly #answers = new Map<string, Promise<T>>();

  knows(question: string): boolean {
    return this.#answers.has(keyOf(question));
  }

  /** An answer from before. */
  note(question: string, answer: T): void {
    this.#answers.set(keyOf(question), Promise.resolve(answer));
  }

  async answer(question: string, ask: () => Promise<T>): Promise<T> {
    const key = keyOf(question);
    // Whoever asked first may have given up; that is no answer for the others.
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
