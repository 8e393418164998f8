// Connects to the addresses that were judged. Another answer of the name server a moment later changes nothing.
import { lookup } from "node:dns/promises";
import { parseAddress } from "./address-rule.ts";
import { hostOf, isLocalName, portOf, type Reach, type Trust } from "./reach.ts";

/** Gives all addresses of a host name. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<string[]>;

export const systemResolver: ResolveHost = async (host) => {
  // Addresses are tried one after the other, and a broken route of IPv6 would use up all the time.
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
};

/** The addresses of a host. For an address and for this machine the name server is not queried. */
export async function addressesOf(host: string, resolve: ResolveHost): Promise<string[]> {
  if (parseAddress(host) !== null) return [host];
  if (isLocalName(host)) return ["127.0.0.1", "::1"];
  return await resolve(host);
}

export interface ConnectionOptions {
  reach: Reach;
  resolve: ResolveHost;
  /** Further certificate authorities as PEM, for tests. */
  certificateAuthorities?: string;
}

/** Tries the addresses one after the other until one answers. `url` has to be judged before. */
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
        // By default Bun uses the proxy of the environment, which could connect to any address.
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

/** The code of a failed system call or connection; "" for any other error. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
