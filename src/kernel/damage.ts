// Separates errors over damage, which means stored bytes that are missing or altered, from other errors.
import { RunError } from "./errors.ts";

export function isDamage(error: unknown): error is RunError<"MISSING_ARTIFACT" | "INTEGRITY_ERROR"> {
  return error instanceof RunError && (error.code === "MISSING_ARTIFACT" || error.code === "INTEGRITY_ERROR");
}

export async function unlessDamaged<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}
