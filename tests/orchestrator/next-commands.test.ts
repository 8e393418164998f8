// The commands that a halt names: what goes on from it, and nothing that would only end there again.
import { expect, test } from "bun:test";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import type { PlainHalt } from "../../src/run/halt.ts";
import { commandFor, commandsOfHalt, isBareCommand } from "../../src/run/next-commands.ts";
import type { Settings } from "../../src/run/settings.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

async function verbs(kind: PlainHalt["kind"], on_drift: Settings["policies"]["on_drift"]): Promise<string[]> {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const { manifest } = await ports.store.look(root);
  const { settings } = manifest;
  const changed = { ...manifest, settings: { ...settings, policies: { ...settings.policies, on_drift } } };
  const { next_commands } = plainHalt(ports, root, changed, { kind, details: {} });
  return next_commands.map((command) => command.replace("deep-research ", "").replace(` ${root}`, ""));
}

test("a drift under the policy fork is forked first, one under refuse is accepted first", async () => {
  expect(await verbs("drift", "fork")).toEqual([
    "resume --on-drift fork",
    "resume --on-drift continue",
    "inspect",
    "triage",
  ]);
  expect(await verbs("drift", "refuse")).toEqual(["resume --on-drift continue", "fork", "inspect", "triage"]);
});

test("a run without evidence is not forked as it is: the fork would find none either", async () => {
  expect(await verbs("no_evidence", "continue")).toEqual(["resume", "inspect", "triage"]);
  expect(await verbs("gate_blocked", "continue")).toEqual(["resume", "fork", "inspect", "triage"]);
});

test("a halt of a run that was moved or copied names the run where it lies, and no other", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, "dr_1");
  const halt = plainHalt(ports, root, (await ports.store.look(root)).manifest, { kind: "no_evidence", details: {} });
  expect(commandsOfHalt(halt, root)).toEqual(halt.next_commands);
  const moved = commandsOfHalt(halt, "/else where/$&");
  expect(moved[0]).toBe("deep-research resume '/else where/$&'");
  expect(moved.join("\n")).not.toContain(root);
});

test("a program whose path begins like the run's is not moved with it", () => {
  const halt = {
    manifest_path: "/home/me/deep/manifest.json",
    next_commands: [
      "/home/me/deep-research resume /home/me/deep --max-calls 4",
      "/home/me/deep-research inspect /home/me/deep",
    ],
  };
  expect(commandsOfHalt(halt as PlainHalt, "/moved")).toEqual([
    "/home/me/deep-research resume /moved --max-calls 4",
    "/home/me/deep-research inspect /moved",
  ]);
});

test("what stands in a path is no verb", () => {
  const root = "/data/my triage runs/dr_1";
  const command = (verb: string, ...flags: string[]): string =>
    commandFor({ cliInvocation: "dr" }, verb, root, ...flags);
  expect(isBareCommand(command("triage"), "triage", root)).toBe(true);
  for (const other of [command("resume"), command("repair", "--dry-run"), command("fork", "--question", "'a triage'")])
    expect(isBareCommand(other, "triage", root)).toBe(false);
});
