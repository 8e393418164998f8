// A PostgreSQL server of a test's own, from the PATH or Debian's folder, on a socket that nobody else has. Where there is none, tests say so.
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const DEBIAN = "/usr/lib/postgresql";

/** The folder of `initdb` and `pg_ctl`; null where they are missing. */
function programs(): string | null {
  const found = Bun.which("pg_ctl");
  if (found !== null) return join(found, "..");
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const newest = versions.find((version) => existsSync(join(DEBIAN, version, "bin/pg_ctl")));
  return newest === undefined ? null : join(DEBIAN, newest, "bin");
}

/** A server does not run as root. */
function unprivileged(): { uid: number; gid: number } | null | "nobody" {
  if (userInfo().uid !== 0) return null;
  const { status, stdout } = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
  const group = spawnSync("id", ["-g", "postgres"], { encoding: "utf8" });
  return status === 0 ? { uid: Number(stdout), gid: Number(group.stdout) } : "nobody";
}

/** Why tests with a server are skipped; null where they are not. */
export const WHY_NO_SERVER: string | null =
  programs() === null
    ? "PostgreSQL is not installed; apt-get install postgresql"
    : unprivileged() === "nobody"
      ? "a server does not run as root, and there is no user postgres"
      : null;
if (WHY_NO_SERVER !== null) console.log(`skipped: ${WHY_NO_SERVER}`);

export class PrivateServer implements Disposable {
  readonly folder: string;
  readonly port: number;
  readonly #user: { uid: number; gid: number } | null;

  private constructor(folder: string, port: number, user: { uid: number; gid: number } | null) {
    this.folder = folder;
    this.port = port;
    this.#user = user;
  }

  /** `settings`: of postgresql.conf. `above`: the folder that it is made in. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    above = existsSync("/dev/shm") ? "/dev/shm" : tmpdir(),
  ): Promise<PrivateServer> {
    const user = unprivileged();
    if (user === "nobody") throw new Error(WHY_NO_SERVER ?? "");
    const folder = mkdtempSync(join(above, "deep-research-pg-"));
    if (user !== null) chownSync(folder, user.uid, user.gid);
    const server = new PrivateServer(folder, await freePort(), user);
    server.#run("initdb", ["-D", server.#data, "-U", "owner", "--auth=trust", "-E", "UTF8", "--locale=C", "-N"]);
    // A row on disk is what the tests of crashes need; other tests need none.
    const said = { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: folder, ...settings };
    const flags = Object.entries({ ...said, port: String(server.port) }).map(([name, value]) => `-c ${name}=${value}`);
    mkdirSync(join(folder, "log"), { mode: 0o777 });
    server.#flags = flags.join(" ");
    server.begin();
    return server;
  }

  #flags = "";

  get #data(): string {
    return join(this.folder, "data");
  }

  /** As the owner of everything. */
  get url(): string {
    return this.urlOf("owner");
  }

  urlOf(role: string, database = "postgres", port = this.port): string {
    return `postgres://${role}@127.0.0.1:${port}/${database}`;
  }

  begin(): void {
    this.#run("pg_ctl", ["-D", this.#data, "-l", join(this.folder, "server.log"), "-o", this.#flags, "-w", "start"]);
  }

  /** `immediate`: as after a power cut. */
  halt(mode: "fast" | "immediate" = "fast"): void {
    this.#run("pg_ctl", ["-D", this.#data, "-m", mode, "-w", "stop"]);
  }

  #run(program: string, args: string[]): void {
    const { status, stderr, stdout } = spawnSync(join(programs() ?? "", program), args, {
      cwd: this.folder,
      encoding: "utf8",
      // The server keeps the streams of pg_ctl open.
      stdio: ["ignore", program === "pg_ctl" ? "ignore" : "pipe", program === "pg_ctl" ? "ignore" : "pipe"],
      ...this.#user,
      env: { ...process.env, LC_ALL: "C" },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr ?? ""}${stdout ?? ""}`);
  }

  [Symbol.dispose](): void {
    try {
      this.halt("immediate");
    } catch {
      // It was halted already.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
