// A step that cannot go on and has not failed: the run halts, and goes on from there once the reason is gone.
import type { HaltKind } from "../run/halt.ts";

export class HaltWanted extends Error {
  override readonly name = "HaltWanted";
  readonly kind: Exclude<HaltKind, "timeout">;
  readonly details: Record<string, unknown>;
  /** RFC 3339; when time alone ends the halt. */
  readonly retryAt: string | undefined;

  constructor(kind: Exclude<HaltKind, "timeout">, details: Record<string, unknown>, retryAt?: string) {
    super(`the run halts: ${kind}`);
    this.kind = kind;
    this.details = details;
    this.retryAt = retryAt;
  }
}
