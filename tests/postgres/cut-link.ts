// A way to a server that can be cut: it passes bytes on, refuses and ends connections, or loses what the server answers.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export type LinkState = "up" | "down" | "answers lost" | "silent";

export class CutLink implements Disposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  readonly #stateNow: () => LinkState;
  readonly #watch: ReturnType<typeof setInterval>;
  port = 0;

  private constructor(target: number, stateNow: () => LinkState) {
    this.#target = target;
    this.#stateNow = stateNow;
    this.#server = createServer((socket) => this.#pass(socket));
    this.#watch = setInterval(() => {
      if (stateNow() === "down") for (const socket of this.#sockets) socket.destroy();
    }, 2);
  }

  static async to(target: number, stateNow: () => LinkState): Promise<CutLink> {
    const link = new CutLink(target, stateNow);
    await new Promise<void>((resolve) => link.#server.listen(0, "127.0.0.1", resolve));
    link.port = (link.#server.address() as AddressInfo).port;
    return link;
  }

  #pass(socket: Socket): void {
    if (this.#stateNow() === "down") return void socket.destroy();
    const server = connect(this.#target, "127.0.0.1");
    const ends = [socket, server];
    for (const one of ends) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on("error", () => undefined);
      one.on("close", () => {
        for (const other of ends) {
          this.#sockets.delete(other);
          other.destroy();
        }
      });
    }
    socket.on("data", (bytes) => {
      if (this.#stateNow() === "down") socket.destroy();
      else if (this.#stateNow() !== "silent") server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (this.#stateNow() === "up") socket.write(bytes);
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
