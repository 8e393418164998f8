// deep-research opencode install
import { installFiles } from "../../operations/setup/install-files.ts";
import { opencodeFiles } from "../../operations/setup/opencode-files.ts";
import { defineCommand } from "../command.ts";
import { keptNote, PLACE, placedText, placeOfHost } from "../options/host-options.ts";

export const command = defineCommand({
  description:
    "Writes tools, commands, two agents and a skill into .opencode of the working folder, or into OpenCode's own configuration folder.",
  seeAlso: ["opencode uninstall", "mcp", "doctor"],
  fields: PLACE,
  examples: [
    ["opencode install", "for OpenCode in this folder and below"],
    ["opencode install --global", "for every project of yours"],
  ],
  notes: [
    "A file that was changed is left as it is and named. After this program was moved, install again: its tools call it by its absolute path.",
  ],
  exits: [
    [0, "done, or so already; files that were changed are named and left as they are"],
    [1, "not written"],
    [2, "bad usage, or the notes of an earlier install cannot be read"],
  ],
  withoutConfiguration: true,
  async run(context, { global, dry_run: dryRun }) {
    const { host, ports } = context;
    const files = await opencodeFiles(host.cliInvocation);
    const outcome = await installFiles(ports, files, { ...placeOfHost(context, global), dryRun });
    const { result } = outcome;
    return { outcome, text: (style) => placedText(result, style), note: () => keptNote(result) };
  },
});
