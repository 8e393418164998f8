// Errors of the server and of its client: the store is away for now, or a typed error says what to do.
import { RunError } from "../../kernel/errors.ts";

interface DriverError {
  /** Of the client. */
  code?: unknown;
  /** SQLSTATE, where the server has answered. */
  errno?: unknown;
  message?: unknown;
}

/** The server as errors name it: neither a user nor a password is in it. */
export interface ServerName {
  name: string;
  /** Words that no text may hold. */
  secrets: readonly string[];
  schema: string;
}

/** No answer came in time. Whether the statement was carried out is not known. */
export class NoAnswer extends Error {
  constructor() {
    super("no answer in time");
  }
}

/**
 * SQLSTATEs that pass by themselves: connection, shutdown, start, standby, deadlocks and cut statements, no room for a connection,
 * an error of the server's own system. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(?:08...|57...|40001|40P01|55P03|53[02]00|25006|58...|XX...)$/;

/** True where the same statement may succeed later. Whether it was carried out is not known. */
export function isAway(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  const { code, errno } = (error ?? {}) as DriverError;
  if (typeof errno === "string" && errno !== "") return PASSING.test(errno);
  return (
    typeof code === "string" &&
    (/^ERR_POSTGRES_(?!TLS|SSL|CHANNEL|AUTHENTICATION|UNSUPPORTED|SYNTAX)/.test(code) ||
      /^(?:ECONN|EPIPE|ENOTCONN|ENOENT|ETIMEDOUT|EHOST|ENET)/.test(code))
  );
}

/** True for an error of the client or the server; anything else is one of ours. */
export function isOfDriver(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as DriverError;
  return (
    error instanceof NoAnswer ||
    (typeof code === "string" &&
      /^(?:ERR_POSTGRES|ERR_SSL|ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME)/.test(code)) ||
    (typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno))
  );
}

/** The typed error for one of the driver, none of whose words are secret. */
export function typedServerError(error: unknown, server: ServerName): RunError {
  const { code = "", errno = "" } = (error ?? {}) as DriverError;
  const store = server.name;
  const options = { cause: error };
  switch (String(errno)) {
    case "28000":
    case "28P01":
      return new RunError(
        "INVALID_ARGS.store_login",
        { reason: `${store} refuses the role or its password`, store },
        options,
      );
    case "3D000":
      return new RunError("INVALID_ARGS.store_login", { reason: `${store} has no such database`, store }, options);
    case "42501":
      return new RunError(
        "INVALID_ARGS.store_role",
        { reason: `the role that is used has no right to do this in schema ${server.schema} of ${store}`, store },
        options,
      );
    case "3F000":
    case "42P01":
    case "42703":
    case "42883":
      return new RunError(
        "SCHEMA_UNSUPPORTED.store_older",
        { reason: `${store} has no schema ${server.schema} of this version`, store },
        options,
      );
    case "53100":
      return new RunError("WRITE_FAILED", { reason: `the disk of ${store} is full`, errno: "ENOSPC", store }, options);
    case "25006":
      return new RunError("UNAVAILABLE", { reason: `${store} is a standby that takes no writes`, store }, options);
    default:
  }
  const said = wordsOf(error, server);
  if (/TLS|SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME/.test(String(code)))
    return new RunError(
      "INVALID_ARGS.store_login",
      { reason: `no safe connection to ${store}: ${said}`, store },
      options,
    );
  const why = String(errno) === "" ? "" : ` as expected: ${said}`;
  return new RunError("UNAVAILABLE", { reason: `${store} does not answer${why}`, store }, options);
}

function wordsOf(error: unknown, { secrets }: ServerName): string {
  const { message = "", code = "", errno = "" } = (error ?? {}) as DriverError;
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), String(message));
  return [said, String(errno === "" ? code : errno)].filter((part) => part !== "").join(" ");
}
