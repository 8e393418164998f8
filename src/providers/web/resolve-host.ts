// The addresses of a host, as the system knows them.
import { lookup } from "node:dns/promises";
import { parseAddress } from "./address-rule.ts";
import { isLocalName } from "./reach.ts";

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
