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

test("a list that only leads elsewhere is no content in any markup, and one that says something is", () => {
  for (const text of [
    '- [Lease takeover](lease.md)\n- [Heartbeat](heartbeat.md "of a lease")',
    "- [Lease takeover]\n- [Heartbeat of a lease][]\n\n[Lease takeover]: lease.md\n[Heartbeat of a lease]: heartbeat.md",
    "* :doc:`Lease takeover <lease>`\n* `Heartbeat of a lease <heartbeat.html>`_",
    "* xref:lease.adoc[Lease takeover]\n* link:h.html[Heartbeat]\n* <<takeover,Takeover of a lease>>",
  ])
    expect([text, isPassedOver(text)]).toEqual([text, true]);
  for (const text of [
    "- [Lease](lease.md): ends two minutes after the last heartbeat of its worker",
    "- [x] The lease is taken over.\n- [ ] The takeover is noted in the journal.",
    "Set :option:`--lease` to two minutes, so that a worker that hangs loses it.",
    "Run `broker lease` and `broker takeover` one after the other.",
    "Issues: https://example.org/broker/issues",
  ])
    expect([text, isPassedOver(text)]).toEqual([text, false]);
});

test("a page that asks for consent or a login is none; control: a text about it", () => {
  const is = (text: string): boolean => isBoilerplate({ origin: "https://kiln.example/", text }, new Set());
  expect(is("We use cookies. Sign in to read about the kiln. Accept all. Reject all.")).toBe(true);
  expect(is("Diese Seite verwendet Cookies. Alle akzeptieren oder Einstellungen ändern.")).toBe(true);
  expect(is("Please enable JavaScript, and log in to see the kiln.")).toBe(false);
  expect(is("A cookie holds the id of the session until the browser is closed.")).toBe(false);
  expect(is(`We use cookies. Accept all. ${"The kiln is fired with beech wood. ".repeat(30)}`)).toBe(false);
});
