// Finds the kind of a network address: only those of the public internet may be reached, and those that the user listed.
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses as its base and the length of its prefix. One address is a range, too. */
export type AddressRange = [Address, number];

/** An address in a public range at which Azure has its metadata and name service. */
const CLOUD_ADDRESSES = new Set(["168.63.129.16"]);

const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Reads plain notations: dotted decimal, or IPv6 without a zone. Null for any other text. */
export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes("%") && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

/**
 * The kind of an address as ipaddr.js names it. Only `unicast` is the public internet. IPv6 addresses with an IPv4 address
 * inside (mapped, 6to4, NAT64, Teredo) have other kinds, since the inner one may be private.
 */
export function kindOfAddress(text: string): string {
  const address = parseAddress(text);
  if (address === null) return "not an address";
  if (CLOUD_ADDRESSES.has(address.toString())) return "cloud metadata";
  const range = address.range();
  if (range === "unicast" && address.kind() === "ipv6" && !matches(address, GLOBAL_IPV6)) return "reserved";
  if (range === "unicast" && isTunnelled(address)) return "tunnelled";
  return range;
}

export function isPublicAddress(text: string): boolean {
  return kindOfAddress(text) === "unicast";
}

export function isLoopbackAddress(text: string): boolean {
  return kindOfAddress(text) === "loopback";
}

/** Reads `10.1.2.3` or `10.1.0.0/16`; null for any other text. */
export function parseAddressRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text.replace(/^\[(.*)\]$/, "$1"));
  if (address === null) return null;
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

export function isInRange(text: string, range: AddressRange): boolean {
  const address = parseAddress(text);
  return address !== null && matches(address, range);
}

function matches(address: Address, [base, length]: AddressRange): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, length);
  return base instanceof ipaddr.IPv6 && address.match(base, length);
}

/** True for ISATAP, whose last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
function isTunnelled(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false;
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}
