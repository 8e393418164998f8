// Writes and reads a posting list: the passages that hold one term, packed into bytes.

/** Counts fit into a byte. Scores hardly grow beyond it. */
const MAX_COUNT = 255;

/** Builds the list of one term. Passages are added in rising order of their ids. */
export class PostingList {
  /** The number of passages in the bytes. */
  held = 0;
  private readonly bytes: number[] = [];
  private written = 0;
  private passage = 0;
  private inText = 0;
  private inTitle = 0;

  addText(passage: number): void {
    if (passage !== this.passage) this.open(passage);
    this.inText++;
  }

  addTitle(passage: number): void {
    if (passage !== this.passage) this.open(passage);
    this.inTitle++;
  }

  add(passage: number, inText: number, inTitle: number): void {
    this.open(passage);
    this.inText = inText;
    this.inTitle = inTitle;
  }

  toBytes(): Uint8Array {
    this.open(0);
    return Uint8Array.from(this.bytes);
  }

  /** Writes a passage as twice its distance from the one before, plus one when two bytes with its counts follow. */
  private open(passage: number): void {
    if (this.passage !== 0) {
      const isPlain = this.inText === 1 && this.inTitle === 0;
      this.number((this.passage - this.written) * 2 + (isPlain ? 0 : 1));
      if (!isPlain) this.bytes.push(Math.min(this.inText, MAX_COUNT), Math.min(this.inTitle, MAX_COUNT));
      this.written = this.passage;
      this.held++;
    }
    this.passage = passage;
    this.inText = 0;
    this.inTitle = 0;
  }

  private number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.bytes.push((rest & 0x7f) | 0x80);
    this.bytes.push(rest);
  }
}

/** Postings that were read. One object is filled again for each term. */
export class Postings {
  passages = new Int32Array(1024);
  inText = new Uint8Array(1024);
  inTitle = new Uint8Array(1024);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  /** Adds the postings of a list. Any bytes end the reading where they end. */
  read(bytes: Uint8Array): void {
    this.reserve(this.count + bytes.length);
    const { passages, inText, inTitle } = this;
    let passage = 0;
    let count = this.count;
    for (let at = 0; at < bytes.length; count++) {
      let value = 0;
      let shift = 0;
      let byte: number;
      do {
        byte = bytes[at++] ?? 0;
        value |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte > 0x7f);
      passage += value >>> 1;
      passages[count] = passage;
      const isPlain = (value & 1) === 0;
      inText[count] = isPlain ? 1 : (bytes[at++] ?? 0);
      inTitle[count] = isPlain ? 0 : (bytes[at++] ?? 0);
    }
    this.count = count;
  }

  private reserve(size: number): void {
    if (size <= this.passages.length) return;
    const { passages, inText, inTitle } = this;
    const room = size * 2;
    this.passages = new Int32Array(room);
    this.passages.set(passages);
    this.inText = new Uint8Array(room);
    this.inText.set(inText);
    this.inTitle = new Uint8Array(room);
    this.inTitle.set(inTitle);
  }
}
