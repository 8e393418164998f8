// Somewhere outside, where a tool that is not safe leaves its notes: whoever is there counts.

export class Board implements Disposable {
  readonly notes: string[] = [];
  #isMute = false;
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request, server) => {
      this.notes.push(await request.text());
      if (this.#isMute) void server.stop(true);
      return new Response("posted");
    },
  });

  get url(): string {
    return this.#server.url.href;
  }

  /** From now on it does what it is asked, and cannot say so. */
  mute(): void {
    this.#isMute = true;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
