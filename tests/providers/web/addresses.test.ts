// Only public and listed addresses may be reached.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { isPublicAddress, kindOfAddress } from "../../../src/providers/web/address-rule.ts";
import { Reach } from "../../../src/providers/web/reach.ts";
import { addressesOf } from "../../../src/providers/web/judged-connection.ts";
import { ProviderFailure } from "../../../src/ports/provider-failure.ts";

const PUBLIC = ["1.1.1.1", "93.184.215.14", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"];

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
  168.63.129.16 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::10.0.0.1
  2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1
  4000::1 2606:4700::5efe:7f00:1`
  .trim()
  .split(/\s+/);

/** Texts that no resolver gives as an address. */
const NO_ADDRESSES = [
  "",
  "localhost",
  "127.1",
  "0x7f.0.0.1",
  "2130706433",
  "0177.0.0.1",
  "127.0.0.1.",
  "1.1.1.1/32",
  "1.1.1.256",
];

const normal = new Reach({ sensitivity: "normal", allowedHosts: [] });

/** Judges a URL and the addresses that it names itself, without a name server. */
async function verdictOn(url: string, reach = normal): Promise<string> {
  try {
    const judged = reach.judgeUrl(url, "named");
    const host = judged.hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = await addressesOf(host.replace(/\.$/, ""), () =>
      Promise.reject(new Error("asked a name server")),
    );
    reach.judgeAddresses(judged, addresses, "named");
    return "reached";
  } catch (error) {
    if (error instanceof ProviderFailure) return error.failure.reason;
    throw error;
  }
}

describe("addresses", () => {
  test("are public only on the public internet", () => {
    for (const address of PUBLIC) expect(`${address} ${kindOfAddress(address)}`).toBe(`${address} unicast`);
    const wrong = [...NOT_PUBLIC, ...NO_ADDRESSES].filter(isPublicAddress);
    expect(wrong).toEqual([]);
  });

  test("property: an IPv6 address that carries a private IPv4 address is never public", () => {
    const privateIpv4 = fc
      .constantFrom([127, 8], [10, 8], [169 * 256 + 254, 16], [192 * 256 + 168, 16], [0, 8])
      .chain(([prefix = 0, bits = 8]) =>
        fc.nat(2 ** (32 - bits) - 1).map((rest) => (prefix * 2 ** (32 - bits) + rest) >>> 0),
      );
    const wrapped = fc.constantFrom("::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "::ffff:0:", "2001::", "fe80::");
    fc.assert(
      fc.property(privateIpv4, wrapped, (address, prefix) => {
        const [high, low] = [(address >>> 16).toString(16), (address & 0xffff).toString(16)];
        expect(isPublicAddress(`${prefix}${high}:${low}`)).toBe(false);
        expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
      }),
    );
  });

  test("property: however the number of a private address is written in a URL, it is refused", async () => {
    const privateAddresses = [
      [127, 0, 0, 1],
      [10, 1, 2, 3],
      [169, 254, 169, 254],
      [192, 168, 0, 9],
      [0, 0, 0, 0],
    ];
    const octets = fc.constantFrom(...privateAddresses);
    const notation = fc.constantFrom<(parts: number[]) => string>(
      (parts) => parts.join("."),
      (parts) => `${parts.join(".")}.`,
      (parts) => parts.map((part) => `0x${part.toString(16)}`).join("."),
      (parts) => parts.map((part) => `0${part.toString(8)}`).join("."),
      (parts) => String(parts.reduce((sum, part) => sum * 256 + part, 0)),
      (parts) => `0x${parts.reduce((sum, part) => sum * 256 + part, 0).toString(16)}`,
      ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
      ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b * 65_536 + c * 256 + d}`,
      (parts) => parts.join(".").replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      (parts) => parts.join("。"),
      (parts) => parts.join(".").replace(/1/g, "%31"),
      (parts) => `[::ffff:${parts.join(".")}]`,
      (parts) => `[::${parts.join(".")}]`,
      (parts) => `[64:ff9b::${parts.join(".")}]`,
    );
    await fc.assert(
      fc.asyncProperty(octets, notation, async (parts, write) => {
        expect(await verdictOn(`http://${write(parts)}/latest/meta-data`)).toBe("blocked_address");
      }),
      { numRuns: 300 },
    );
    expect(await verdictOn("http://1.1.1.1/")).toBe("reached");
  });

  test("localhost is refused, with and without a dot at the end", async () => {
    for (const host of ["localhost", "localhost.", "LOCALHOST", "a.localhost", "ⓛocalhost"])
      expect(`${host} ${await verdictOn(`http://${host}/`)}`).toBe(`${host} blocked_address`);
  });

  test("one bad address refuses all", () => {
    const url = normal.judgeUrl("http://example.org/", "named");
    expect(() => normal.judgeAddresses(url, ["1.1.1.1", "2606:4700::1"], "named")).not.toThrow();
    expect(() => normal.judgeAddresses(url, ["1.1.1.1", "10.0.0.1"], "named")).toThrow("blocked_address");
    expect(() => normal.judgeAddresses(url, [], "named")).toThrow("dns");
  });
});

describe("URLs", () => {
  test("may be http and https, without credentials, on known ports, up to a length", async () => {
    const bad = [
      "file:///etc/passwd",
      "data:text/html,hi",
      "ftp://example.org/",
      "javascript:1",
      "gopher://x/",
      "no url",
      "",
    ];
    for (const url of bad) expect(`${url} ${await verdictOn(url)}`).toBe(`${url} bad_url`);
    expect(await verdictOn("http://me@1.1.1.1/")).toBe("bad_url");
    expect(await verdictOn("http://:secret@1.1.1.1/")).toBe("bad_url");
    expect(await verdictOn(`http://1.1.1.1/${"a".repeat(3_000)}`)).toBe("bad_url");
    expect(await verdictOn("http://1.1.1.1:22/")).toBe("blocked_port");
    expect(await verdictOn("https://1.1.1.1:8443/")).toBe("reached");
  });

  test("a password in a URL is never stored, even if it makes the URL invalid", () => {
    const refused = (url = "http://me:hunter2@example.org/a"): unknown => {
      try {
        return normal.judgeUrl(url, "named");
      } catch (error) {
        return error instanceof ProviderFailure ? JSON.stringify([error.facts, error.message]) : error;
      }
    };
    expect(refused()).toContain("http://example.org/a");
    for (const url of [undefined, "http://me:p/hunter2@example.org/", "http://me:hunter2@a.test:99999/b@c"])
      expect(refused(url)).not.toContain("hunter2");
  });
});

describe("sensitivity", () => {
  const restricted = new Reach({
    sensitivity: "restricted",
    allowedHosts: ["Example.org.", "*.docs.test", "9.9.9.0/24"],
  });
  const judge = (reach: Reach, url: string): string => {
    try {
      reach.judgeUrl(url, "configured");
      return "reached";
    } catch (error) {
      return error instanceof ProviderFailure ? error.failure.reason : String(error);
    }
  };

  test("restricted reaches listed hosts and subdomains, and no host with a similar name", () => {
    for (const host of ["example.org", "EXAMPLE.org.", "a.docs.test", "a.b.docs.test", "9.9.9.9"])
      expect(`${host} ${judge(restricted, `http://${host}/`)}`).toBe(`${host} reached`);
    for (const host of ["example.com", "evilexample.org", "www.example.org", "docs.test", "evildocs.test", "9.9.8.9"])
      expect(`${host} ${judge(restricted, `http://${host}/`)}`).toBe(`${host} not_allowed_host`);
  });

  test("a listed address may be private, the address of a listed name may not", () => {
    const reach = new Reach({ sensitivity: "restricted", allowedHosts: ["wiki.test", "10.1.0.0/16"] });
    const url = reach.judgeUrl("http://wiki.test/", "named");
    expect(() => reach.judgeAddresses(url, ["10.2.0.1"], "named")).toThrow("blocked_address");
    expect(() => reach.judgeAddresses(url, ["10.1.0.1"], "named")).not.toThrow();
  });

  test("no_web reaches only this machine, if it is listed", async () => {
    const listed = new Reach({
      sensitivity: "no_web",
      allowedHosts: ["localhost", "127.0.0.1", "example.org", "8.8.8.8"],
    });
    expect(await verdictOn("http://localhost:8080/", listed)).toBe("reached");
    expect(await verdictOn("http://127.0.0.1:8080/", listed)).toBe("reached");
    expect(judge(listed, "http://example.org/")).toBe("not_allowed_host");
    expect(judge(listed, "http://8.8.8.8/")).toBe("not_allowed_host");
    expect(judge(listed, "http://127.0.0.2/")).toBe("not_allowed_host");
    expect(judge(new Reach({ sensitivity: "no_web", allowedHosts: [] }), "http://localhost/")).toBe("not_allowed_host");
  });

  test("no_web reaches only this machine, whatever a name resolves to", () => {
    const reach = new Reach({ sensitivity: "no_web", allowedHosts: ["localhost", "8.8.8.8"] });
    const url = reach.judgeUrl("http://localhost/", "configured");
    expect(() => reach.judgeAddresses(url, ["8.8.8.8"], "configured")).toThrow("blocked_address");
    expect(() => reach.judgeAddresses(url, ["127.0.0.1", "::1"], "configured")).not.toThrow();
  });

  test("names are compared in the form of URLs, and an entry that is no name is refused", () => {
    const reach = new Reach({ sensitivity: "restricted", allowedHosts: ["Bücher.example", "*.straße.example"] });
    expect(judge(reach, "http://bücher.example/")).toBe("reached");
    expect(judge(reach, "http://a.xn--strae-oqa.example/")).toBe("reached");
    for (const entry of ["http://a.test", "a.test:80", "a.test/path", "a b", "", "*", "*.*.test", "me@a.test"])
      expect(() => new Reach({ sensitivity: "normal", allowedHosts: [entry] }), entry).toThrow("is no host name");
  });
});
