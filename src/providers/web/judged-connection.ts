// Connects to the very addresses that were judged; what the name says a moment later does not matter any more.
import { lookup } from "node:dns/promises";
import { parseAddress } from "./address-rule.ts";
import { hostOf, isLocalName, portOf, type Reach, type Trust } from "./reach.ts";

/** All addresses of a host name; rejects when it has none. */
export type ResolveHost = (host: string) => Promise<string[]>;

export const systemResolver: ResolveHost = async (host) => {
  // One address after the other is tried, and a way to IPv6 that leads nowhere would cost all the time there is.
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
};

/** Addresses stand for themselves and this machine is known: neither opens a socket. */
export async function addressesOf(host: string, resolve: ResolveHost): Promise<string[]> {
  if (parseAddress(host) !== null) return [host];
  if (isLocalName(host)) return ["127.0.0.1", "::1"];
  return await resolve(host);
}

export interface ConnectionOptions {
  reach: Reach;
  resolve: ResolveHost;
  /** Further certificate authorities, as PEM; for tests and for networks that have one of their own. */
  certificateAuthorities?: string;
}

/** Tries one address after the other, as long as nobody is there. The URL has been judged, and names the host. */
export async function connectJudged(
  { reach, resolve, certificateAuthorities }: ConnectionOptions,
  url: URL,
  trust: Trust,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  const addresses = await addressesOf(hostOf(url), resolve);
  reach.judgeAddresses(url, addresses, trust);
  const headers = new Headers(init.headers);
  headers.set("Host", url.host);
  let last: unknown;
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    signal.throwIfAborted();
    try {
      return await fetch(placeOf(url, address), {
        ...init,
        headers,
        tls: {
          rejectUnauthorized: true,
          ...(parseAddress(hostOf(url)) === null ? { serverName: hostOf(url) } : {}),
          ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
        },
        // Bun would hand the request to the proxy of the environment, which resolves and connects as it likes.
        proxy: false,
        redirect: "manual",
        decompress: false,
        keepalive: false,
        signal,
      });
    } catch (error) {
      last = error;
      if (!NOBODY_THERE.test(codeOf(error))) break;
    }
  }
  throw last;
}

const MAX_ADDRESSES = 4;
const NOBODY_THERE = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|FailedToOpenSocket)$/;

function placeOf(url: URL, address: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`;
}

/** The code of a failed system call or connection; empty for any other error. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
