// HOLD-OUT (see ../collection.ts): a web framework, a logger and an HTTP client, as their packages document them.
import type { Collection } from "../collection.ts";

export const NODE_SERVERS: Collection = {
  name: "node-servers",
  language: "en",
  packages: [
    { from: "npm", name: "fastify", version: "5.12.8", keep: "package/**/*.md" },
    { from: "npm", name: "pino", version: "10.4.0", keep: "package/**/*.md" },
    { from: "npm", name: "undici", version: "8.12.4", keep: "package/**/*.md" },
  ],
  answerable: [
    {
      ask: "How large can a request body be before Fastify refuses it?",
      document: "Reference/Server.md",
      right: /1048576/,
      within: "fastify/",
    },
    {
      ask: "After how many seconds does a Fastify server close an idle keep-alive connection?",
      document: "Reference/Server.md",
      right: /\b72000\b/,
    },
    {
      ask: "Which status code does a client get when a route handler takes too long?",
      document: "Reference/Server.md",
      right: /within this time, a `?503|sends the 503 error|HANDLER_TIMEOUT.*503|503.*HANDLER_TIMEOUT/,
    },
    {
      ask: "Does a handler stop working by itself once its timeout has fired?",
      document: "Reference/Server.md",
      right: /async work continues to run/,
    },
    {
      ask: "Why should I limit the time to receive a request when there is no reverse proxy?",
      document: "Reference/Server.md",
      right: /protect against potential Denial-of-Service/,
    },
    {
      ask: "Why can I no longer trust a number of proxy hops?",
      document: "Reference/Server.md",
      right: /cannot validate the immediate peer/,
    },
    {
      ask: "What does a logger of my own need to have so that Fastify accepts it?",
      document: "Reference/Server.md",
      right: /conform to the Pino interface/,
    },
    {
      ask: "For how long does an old major release of Fastify still get security fixes?",
      document: "Reference/LTS.md",
      right: /security updates for an additional six months/,
    },
    {
      ask: "Which request bodies does Fastify understand without a plugin?",
      document: "Reference/ContentTypeParser.md",
      right: /natively supports .*application\/json/,
    },
    {
      ask: "Is the payload of a GET request ever parsed?",
      document: "Reference/ContentTypeParser.md",
      right: /`GET` and `HEAD`.*never parsed/,
    },
    {
      ask: "What error is thrown for a content type that nobody registered a parser for?",
      document: "Reference/ContentTypeParser.md",
      right: /FST_ERR_CTP_INVALID_MEDIA_TYPE/,
    },
    {
      ask: "Since which release of Fastify does middleware need a plugin?",
      document: "Reference/Middleware.md",
      right: /v3\.0\.0, middleware|middleware.*(as of|since).*v3/i,
    },
    {
      ask: "How can I notice that somebody closed the browser in the middle of a request?",
      document: "Guides/Detecting-When-Clients-Abort.md",
      right: /`aborted` property is still|closed property `aborted`|proposed solution is a possible way of detecting/,
    },
    {
      ask: "When did long term support for Fastify 3 end?",
      document: "Reference/LTS.md",
      right: /2023-06-30/,
    },
    {
      ask: "Why is it bad to add properties to the request object in a hook without declaring them?",
      document: "Reference/Decorators.md",
      right: /deoptimi[sz]e|change the shape of objects/,
    },
    {
      ask: "Can log lines get lost while pino keeps them in its buffer?",
      document: "docs/asynchronous.md",
      right: /buffered log messages being lost|delayed or lost log messages/,
    },
    {
      ask: "How should I set up pino in an AWS Lambda function?",
      document: "docs/asynchronous.md",
      right: /Lambda deployments/,
    },
    {
      ask: "How much overhead does redaction of log fields add when no wildcards are used?",
      document: "docs/redaction.md",
      right: /2% overhead/,
    },
    {
      ask: "May the paths of redacted fields come from a user of the site?",
      document: "docs/redaction.md",
      right: /must not originate from user input|user input should never/,
    },
    {
      ask: "How deep does pino's fallback serializer follow nested objects?",
      document: "docs/api.md",
      right: /^(?!.*\*\*Default).*Default: `5`/,
    },
    {
      ask: "Which tool should I use to rotate log files written by pino?",
      document: "docs/help.md",
      right: /We recommend \[?logrotate/,
    },
    {
      ask: "What is the danger of copytruncate?",
      document: "docs/help.md",
      right: /slight possibility of lost log lines/,
    },
    {
      ask: "Why do log lines of pino hold a number instead of the name of the level?",
      document: "docs/help.md",
      right: /default mode of operation is to print the level value|meant to be parsable/,
    },
    {
      ask: "How much faster does debug output get when pino-debug handles it?",
      document: "docs/help.md",
      right: /10x \(20x/,
    },
    {
      ask: "Why does flushing the logger not flush what pino-pretty prints?",
      document: "docs/asynchronous.md",
      right: /exposes none of those|nothing to call|runs in a separate worker thread/,
    },
    {
      ask: "Which Node.js releases work with pino 8?",
      document: "docs/lts.md",
      right: /8\.x.*14, 16, 18, 20/,
    },
    {
      ask: "What kind of number is the ts field of a logEvent in the browser?",
      document: "docs/browser.md",
      right: /Unix epoch timestamp/,
    },
    {
      ask: "How many times does undici repeat a failed request unless told otherwise?",
      document: "api/RetryHandler.md",
      right: /Default:\W*5\b/,
      within: "api/Retry",
    },
    {
      ask: "Why are requests whose body is a stream not tried again?",
      document: "api/RetryHandler.md",
      right: /cannot be replayed/,
    },
    {
      ask: "Which user agent does undici send if I set none?",
      document: "best-practices/crawling.md",
      right: /default user agent is/,
    },
    {
      ask: "What is the oldest Node.js that undici 8 runs on?",
      document: "best-practices/migrating-from-v7-to-v8.md",
      right: />= ?22\.19|lower than `?v22\.19/,
    },
    {
      ask: "How long does undici wait for a socket connection to be established?",
      document: "api/Client.md",
      right: /10e3/,
      within: "undici/",
    },
    {
      ask: "What is the biggest single response that the memory cache keeps?",
      document: "api/CacheStore.md",
      right: /5242880|5 MiB/,
    },
    {
      ask: "What does the memory cache do when it has become full?",
      document: "api/CacheStore.md",
      right: /evicts approximately half/,
    },
    {
      ask: "Which one counts when both http_proxy and HTTP_PROXY are set?",
      document: "api/EnvHttpProxyAgent.md",
      right: /lowercase form takes precedence/,
    },
    {
      ask: "How do I bypass the proxy for every host by an environment variable?",
      document: "api/EnvHttpProxyAgent.md",
      right: /Setting `?no_proxy`? to `?\*/,
    },
    {
      ask: "Does undici pipeline requests out of the box?",
      document: "api/Client.md",
      right: /Pipelining is disabled by default|concurrent requests sent over the single connection/,
    },
    {
      ask: "How does BalancedPool choose which upstream gets more traffic?",
      document: "api/BalancedPool.md",
      right: /weighted round-robin/,
    },
    {
      ask: "After how many milliseconds does an EventSource reconnect when the connection drops?",
      document: "api/EventSource.md",
      right: /re-establishing a dropped connection.*3000|`3000`/,
    },
    {
      ask: "What could happen if I turn off the check of the content length?",
      document: "api/Client.md",
      right: /request smuggling/,
    },
    {
      ask: "How often are recorded snapshots written to disk automatically?",
      document: "api/SnapshotAgent.md",
      right: /automatic flushes/,
    },
  ],
  unanswerable: [
    "How many kilobytes of memory does Fastify need per open connection?",
    "When was Fastify 6 released?",
    "How many log lines per second can pino write on a Raspberry Pi?",
    "Which algorithm does pino use to encrypt its log files?",
    "How many plugins can one Fastify instance load at most?",
    "What is the longest log line that pino writes before it cuts it off?",
    "How do I make undici speak HTTP/3 over QUIC?",
    "How often does an EventSource try to reconnect before it gives up?",
    "How many developers work on Fastify full-time?",
    "How do I give one route a higher priority than the others under load?",
    "Does the cache store on SQLite encrypt the responses on disk?",
    "How many child loggers may a pino logger have?",
    "How long is a session cookie of Fastify valid by default?",
    "How do several processes share the weights of a BalancedPool?",
    "How many cookies does undici keep for one domain?",
    "How can pino send an SMS when a fatal error is logged?",
  ],
};
