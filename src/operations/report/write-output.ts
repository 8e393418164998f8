// Writes a file for a person, outside of every run, and says why where it cannot be written.
import { RunError } from "../../kernel/errors.ts";
import type { OutputOptions } from "../../ports/outputs.ts";
import type { Ports } from "../../ports/ports.ts";

/** Errors: `INVALID_ARGS` for a place where no file can be, `WRITE_FAILED`. */
export async function writeOutput(
  { outputs }: Pick<Ports, "outputs">,
  path: string,
  bytes: Uint8Array,
  options: OutputOptions,
): Promise<"written" | "exists"> {
  const outcome = await outputs.write(path, bytes, options);
  if (outcome === "written" || outcome === "exists") return outcome;
  const reason =
    outcome === "blocked"
      ? "what is there is no file"
      : "a run's own folder holds nothing but the run: write to another folder";
  throw new RunError("INVALID_ARGS", { reason, option: "--output", found: path });
}
