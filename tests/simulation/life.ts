// The life of a simulated process: running, frozen (SIGSTOP) or dead, with those who want to hear of a change.

export type LifeState = "running" | "frozen" | "dead";

export class ProcessLife {
  readonly name: string;
  #state: LifeState = "running";
  #listeners: ((state: LifeState) => void)[] = [];
  #goesOn = Promise.withResolvers<void>();
  #stopped = Promise.withResolvers<void>();

  constructor(name: string) {
    this.name = name;
  }

  get state(): LifeState {
    return this.#state;
  }

  onChange(listener: (state: LifeState) => void): void {
    this.#listeners.push(listener);
  }

  freeze(): void {
    if (this.#state !== "running") return;
    this.#goesOn = Promise.withResolvers<void>();
    this.#enter("frozen");
    this.#stopped.resolve();
  }

  thaw(): void {
    if (this.#state !== "frozen") return;
    this.#stopped = Promise.withResolvers<void>();
    this.#enter("running");
    this.#goesOn.resolve();
  }

  /** kill -9. What waited on a frozen process wakes up to find it dead. */
  kill(): void {
    if (this.#state === "dead") return;
    this.#enter("dead");
    this.#goesOn.resolve();
  }

  /** Resolves when the process is frozen. */
  whenFrozen(): Promise<void> {
    return this.#stopped.promise;
  }

  /** Resolves when a frozen process is thawed or killed. */
  whenGoingOn(): Promise<void> {
    return this.#goesOn.promise;
  }

  #enter(state: LifeState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
