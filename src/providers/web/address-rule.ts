// Judges network addresses: those of the public internet may be reached, and those that the user listed by number.
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A whole range, or one address as the range that holds it alone. */
export type AddressRange = [Address, number];

/** Public by number, yet a cloud's own: its metadata and name service. */
const CLOUD_ADDRESSES = new Set(["168.63.129.16"]);

const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Only plain notations: dotted decimal, or IPv6 without a zone. */
export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes("%") && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

/**
 * The kind of an address as ipaddr.js names it; `unicast` is the public internet and nothing else. IPv6 addresses that
 * carry an IPv4 address inside (mapped, 6to4, NAT64, Teredo) are no unicast, whatever they carry.
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

/** Reads `10.1.2.3` or `10.1.0.0/16`; null for what is a name. */
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

/** ISATAP: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
function isTunnelled(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false;
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}
