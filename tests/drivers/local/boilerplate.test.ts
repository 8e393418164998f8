// Tests which passages are no content by their structure.
import { expect, test } from "bun:test";
import { isBoilerplate } from "../../../src/drivers/local/boilerplate.ts";

const isPassedOver = (text: string, asked: string[] = []): boolean =>
  isBoilerplate({ origin: "tar.1.gz", text }, new Set(asked));

test("a row of links or names of manual pages is no content, but a sentence with some is", () => {
  expect(isPassedOver("tar(1), gzip(1), posix_spawn(3p), **sd_bus(3)** and systemd.unit(5)")).toBeTrue();
  expect(isPassedOver("[Home](index.html) | [Up](../index.html) | [Next](part-2.html)")).toBeTrue();
  expect(isPassedOver("Use pipe(2) and fork(2), and close what is not needed with close(2).")).toBeFalse();
  expect(isPassedOver("Call f(2) to have four.")).toBeFalse();
});

test("a page that asks for consent or a login is none; control: a text about it", () => {
  const is = (text: string): boolean => isBoilerplate({ origin: "https://kiln.example/", text }, new Set());
  expect(is("We use cookies. Sign in to read about the kiln. Accept all. Reject all.")).toBe(true);
  expect(is("Diese Seite verwendet Cookies. Alle akzeptieren oder Einstellungen ändern.")).toBe(true);
  expect(is("Please enable JavaScript, and log in to see the kiln.")).toBe(false);
  expect(is("A cookie holds the id of the session until the browser is closed.")).toBe(false);
  expect(is(`We use cookies. Accept all. ${"The kiln is fired with beech wood. ".repeat(30)}`)).toBe(false);
});
