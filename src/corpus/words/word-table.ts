// Finds values by the letters of a text. A Map would need a new string for each word of the text.

const FIRST_SIZE = 1 << 14;

export class WordTable<T> {
  private slots = new Int32Array(FIRST_SIZE).fill(-1);
  private words: string[] = [];
  private hashes: number[] = [];
  private values: T[] = [];
  private readonly make: (word: string) => T;

  constructor(make: (word: string) => T) {
    this.make = make;
  }

  get size(): number {
    return this.words.length;
  }

  clear(): void {
    this.slots.fill(-1);
    this.words = [];
    this.hashes = [];
    this.values = [];
  }

  of(word: string): T {
    let hash = 0;
    for (let at = 0; at < word.length; at++) hash = next(hash, word.charCodeAt(at));
    return this.find(word, 0, word.length, hash);
  }

  /** Visits the value of each word of a lower-case text, a run of a to z and 0 to 9. Returns the number of words. */
  each(text: string, visit: (value: T) => void): number {
    let count = 0;
    let start = 0;
    let hash = 0;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) {
        hash = next(hash, code);
        continue;
      }
      if (at > start) {
        visit(this.find(text, start, at, hash));
        count++;
      }
      start = at + 1;
      hash = 0;
    }
    return count;
  }

  private find(text: string, start: number, end: number, hash: number): T {
    const mask = this.slots.length - 1;
    let slot = mixed(hash) & mask;
    for (let index = this.slots[slot] ?? -1; index !== -1; index = this.slots[slot] ?? -1) {
      // A slot names only indexes that `make` has filled.
      if (this.hashes[index] === hash && this.isAt(index, text, start, end)) return this.values[index] as T;
      slot = (slot + 1) & mask;
    }
    const word = text.slice(start, end);
    const value = this.make(word);
    this.slots[slot] = this.words.length;
    this.words.push(word);
    this.hashes.push(hash);
    this.values.push(value);
    if (this.words.length * 2 > this.slots.length) this.grow();
    return value;
  }

  private isAt(index: number, text: string, start: number, end: number): boolean {
    const word = this.words[index] ?? "";
    if (word.length !== end - start) return false;
    for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
    return true;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    for (const [index, hash] of this.hashes.entries()) {
      let slot = mixed(hash) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.slots = slots;
  }
}

function next(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code + 1) | 0;
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
}
