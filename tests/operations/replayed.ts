// Bundles for tests: copies that may be changed, sealed again where a test is about more than the seal, and replays of them.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { sealedBundle, type Bundle } from "../../src/run/log/bundle.ts";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { BUNDLES, type Recorded } from "../fixtures/recorded-runs.ts";
import { testPorts } from "./made-run.ts";

export const REPLAY = "dr_replay";

export function replayOptions(bundle: string, runsRoot: string, given: Partial<InitOptions> = {}): InitOptions {
  return {
    runsRoot,
    runId: REPLAY,
    driver: "fixture",
    bundle,
    sensitivity: "normal",
    corpora: [],
    providers: [],
    limits: {},
    policies: {},
    ...given,
  };
}

/** Ports behind which there are neither documents nor models. */
export function portsOfNothing(): Ports {
  const refuse = (): Promise<never> => Promise.reject(new Error("a replay asks nobody"));
  return { ...testPorts(), openCorpora: refuse, loadModels: refuse };
}

/** A copy of a bundle of the fixtures. */
export function copyOf(recorded: Recorded, folder: string): string {
  const copy = join(folder, `bundle of ${recorded}`);
  cpSync(join(BUNDLES, recorded), copy, { recursive: true });
  return copy;
}

export function bundleIn(folder: string): Bundle {
  return JSON.parse(readFileSync(join(folder, "bundle.json"), "utf8")) as Bundle;
}

/** Changes a bundle and seals it, as somebody does who means to. */
export function forge(folder: string, change: (bundle: Omit<Bundle, "digest">) => unknown): void {
  const { digest: _before, ...bundle } = bundleIn(folder);
  const changed = change(bundle) as Omit<Bundle, "digest">;
  writeFileSync(join(folder, "bundle.json"), canonicalJson(sealedBundle(changed)));
}
