// Many short texts that are on many machines: what Debian says of the packages that are installed.
import fs from "node:fs";

const STATUS_FILE = "/var/lib/dpkg/status";
const LEAST_LENGTH = 120;

export interface Description {
  name: string;
  title: string;
  body: string;
}

/** Each text once; none on other systems. */
export function packageDescriptions(): Description[] {
  if (!fs.existsSync(STATUS_FILE)) return [];
  const seen = new Set<string>();
  return fs
    .readFileSync(STATUS_FILE, "utf8")
    .split("\n\n")
    .flatMap((entry): Description[] => {
      const name = /^Package: (\S+)/m.exec(entry)?.[1];
      const [, title, lines] = /^Description: (.*)\n((?: .*\n?)*)/m.exec(entry) ?? [];
      if (name === undefined || title === undefined || lines === undefined) return [];
      const body = lines.replace(/^ \.$/gm, "").replace(/^ /gm, "").trim();
      // Packages of one source share their first paragraphs: by those nobody can tell them apart.
      const first = body.slice(0, LEAST_LENGTH);
      if (body.length < LEAST_LENGTH || seen.has(first)) return [];
      seen.add(first);
      return [{ name, title, body }];
    });
}
