// The command that people are told to type outlives the cache of npx.
import { expect, test } from "bun:test";
import { invocation } from "../../src/system/host.ts";

const PLAIN = "--config=/dev/null --no-env-file /opt/clone/src/main.ts";

test("a Bun that npx fetched is named by its version, any other by its path", () => {
  const fetched = "/home/ada/.npm/_npx/8666a9/node_modules/bun/bin/bun.exe";
  expect(invocation(fetched, "/opt/clone/src/main.ts")).toBe(`npx -y bun@${Bun.version} ${PLAIN}`);
  expect(invocation("/usr/bin/bun", "/opt/clone/src/main.ts")).toBe(`/usr/bin/bun ${PLAIN}`);
});
