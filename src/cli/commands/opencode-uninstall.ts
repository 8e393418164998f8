// deep-research opencode uninstall
import { uninstallFiles } from "../../operations/setup/install-files.ts";
import { defineCommand } from "../command.ts";
import { PLACE, placedText, placeOfHost } from "../options/host-options.ts";

export const command = defineCommand({
  description:
    "Removes the files that opencode install wrote, as far as they are unchanged, and folders that are empty then.",
  seeAlso: ["opencode install"],
  fields: PLACE,
  examples: [["opencode uninstall", "from this folder"]],
  exits: [
    [0, "done, or nothing was there; files that were changed are named and left as they are"],
    [1, "something could not be removed"],
    [2, "bad usage, or the notes of the install cannot be read"],
  ],
  withoutConfiguration: true,
  async run(context, { global, dry_run: dryRun }) {
    const outcome = await uninstallFiles(context.ports, { ...placeOfHost(context, global), dryRun });
    return { outcome, text: (style) => placedText(outcome.result, style) };
  },
});
