// Judges whether hosts, ports and addresses may be reached, for every request and every redirect.
import { RunError } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import type { UnreachedReason } from "../../run/report/blocked-urls.ts";
import { MAX_ORIGIN_LENGTH } from "../../run/report/source.ts";
import type { Sensitivity } from "../../run/settings/settings.ts";
import {
  isInRange,
  isLoopbackAddress,
  isPublicAddress,
  kindOfAddress,
  parseAddress,
  parseAddressRange,
  type AddressRange,
} from "./address-rule.ts";

export const DEFAULT_PORTS = [80, 443, 8080, 8443];

/** `configured`: the user set the endpoint up. `named`: a document, a search engine or a model named it. */
export type Trust = "configured" | "named";

export interface ReachOptions {
  sensitivity: Sensitivity;
  /**
   * `example.org`, `*.example.org` (its subdomains), an address or a range. A listed address may be reached even if it is not
   * public. A listed name may not lead to such an address, unless it is `localhost`.
   */
  allowedHosts: readonly string[];
  ports?: readonly number[] | undefined;
}

export class Reach {
  readonly #sensitivity: Sensitivity;
  readonly #names: string[] = [];
  readonly #ranges: AddressRange[] = [];
  readonly #ports: readonly number[];

  /** Errors: `INVALID_ARGS` for an entry that is no host. */
  constructor({ sensitivity, allowedHosts, ports = DEFAULT_PORTS }: ReachOptions) {
    this.#sensitivity = sensitivity;
    this.#ports = ports;
    for (const entry of allowedHosts) {
      const range = parseAddressRange(entry.trim());
      if (range === null) this.#names.push(listedName(entry.trim()));
      else this.#ranges.push(range);
    }
  }

  /** Judges the URL without its addresses. Throws a `ProviderFailure`. */
  judgeUrl(text: string, trust: Trust): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) throw refusal("bad_url", text, "it is no URL");
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw refusal("bad_url", text, `${url.protocol} is neither http nor https`);
    if (url.username !== "" || url.password !== "")
      throw refusal("bad_url", text, "the URL has a user name or password");
    if (trust === "named" && url.href.length > MAX_ORIGIN_LENGTH) throw refusal("bad_url", text, "the URL is too long");
    if (trust === "named" && !this.#ports.includes(portOf(url)))
      throw refusal("blocked_port", text, `port ${portOf(url)} is not among ${this.#ports.join(", ")}`);
    this.#judgeHost(url);
    return url;
  }

  /** Judges all addresses of the host. One forbidden address refuses the host. Throws a `ProviderFailure`. */
  judgeAddresses(url: URL, addresses: readonly string[], trust: Trust): void {
    if (addresses.length === 0) throw refusal("dns", url.href, "the host has no address");
    const bad = addresses.find((address) => !this.#mayReach(url, address, trust));
    if (bad === undefined) return;
    const kind = kindOfAddress(bad);
    const detail = `${hostOf(url)} is at ${bad} (${kind})`;
    throw refusal("blocked_address", url.href, detail);
  }

  #judgeHost(url: URL): void {
    if (this.#sensitivity === "normal") return;
    const host = hostOf(url);
    if (!this.#isListed(host))
      throw refusal("not_allowed_host", url.href, `${host} is not listed, and the run is ${this.#sensitivity}`);
    if (this.#sensitivity === "no_web" && !isLocalName(host) && !isLoopbackAddress(host))
      throw refusal("not_allowed_host", url.href, `${host} is not this machine, and the run is no_web`);
  }

  #isListed(host: string): boolean {
    return (
      this.#ranges.some((range) => isInRange(host, range)) ||
      this.#names.some((name) =>
        name.startsWith("*.") ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name,
      )
    );
  }

  #mayReach(url: URL, address: string, trust: Trust): boolean {
    if (this.#sensitivity === "no_web") return isLoopbackAddress(address);
    if (isPublicAddress(address)) return true;
    if (parseAddress(address) === null) return false;
    if (trust === "configured" || this.#ranges.some((range) => isInRange(address, range))) return true;
    const host = hostOf(url);
    return isLoopbackAddress(address) && isLocalName(host) && this.#names.includes(host);
  }
}

/** Makes a test that is true for endpoints whose host is listed. Names are not resolved. */
export function listedIn(allowedHosts: readonly string[]): (endpoint: string) => boolean {
  const reach = new Reach({ sensitivity: "restricted", allowedHosts });
  return (endpoint) => {
    try {
      reach.judgeUrl(endpoint, "configured");
      return true;
    } catch (error) {
      if (error instanceof ProviderFailure) return false;
      throw error;
    }
  };
}

/** The host without brackets and without the dot that may end it. */
export function hostOf(url: URL): string {
  return plainHost(url.hostname);
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** True for `localhost` and names that end in it. They are this machine by definition, so no name server is queried. */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/** The name as URLs have it: in lower case, and in ASCII for other scripts. Errors: `INVALID_ARGS` for no name. */
function listedName(entry: string): string {
  const [, star = "", name = ""] = /^(\*\.)?(.*)$/.exec(entry) ?? [];
  const url = URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`) : null;
  if (url === null || /[/\\@:*?#\s]/.test(name))
    throw new RunError("INVALID_ARGS", {
      reason: `allowed_hosts: ${shortened(entry, 100)} is no host name, no address and no range`,
      entry,
    });
  return star + plainHost(url.hostname);
}

function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export function refusal(reason: UnreachedReason, url: string, detail: string): ProviderFailure {
  return new ProviderFailure({ reason, provider_id: "web", url, detail });
}
