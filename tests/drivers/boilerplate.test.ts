// Tests which passages are no content by their structure.
import { expect, test } from "bun:test";
import { isBoilerplate } from "../../src/drivers/local/boilerplate.ts";

const isPassedOver = (text: string, asked: string[] = []): boolean =>
  isBoilerplate({ origin: "tar.1.gz", text }, new Set(asked));

test("a row of links or names of manual pages is no content, but a sentence with some is", () => {
  expect(isPassedOver("tar(1), gzip(1), posix_spawn(3p), **sd_bus(3)** and systemd.unit(5)")).toBeTrue();
  expect(isPassedOver("[Home](index.html) | [Up](../index.html) | [Next](part-2.html)")).toBeTrue();
  expect(isPassedOver("Use pipe(2) and fork(2), and close what is not needed with close(2).")).toBeFalse();
  expect(isPassedOver("Call f(2) to have four.")).toBeFalse();
});
