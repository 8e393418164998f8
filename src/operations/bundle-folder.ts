// Reads a bundle from its folder, checks every file of it, and returns what a run is made with.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { RunError, type FileProblem } from "../kernel/errors.ts";
import { MAX_JSON_BYTES, parseStrictJson } from "../kernel/strict-json.ts";
import type { Ports } from "../ports/ports.ts";
import type { LaterContent } from "../ports/run-log.ts";
import { BUNDLE_FILE, parseBundle, type Bundle } from "../run/log/bundle.ts";
import type { ContentRef } from "../run/common.ts";
import { resultFile, sourceFiles } from "../run/log/layout.ts";
import type { RecordDraft } from "../run/log/record.ts";
import { isTextOf, type Source } from "../run/report/source.ts";

/** The records that a run begins with beside its settings, and the files that these name. */
export interface AttachedRecords {
  records: RecordDraft[];
  contents: LaterContent[];
}

export interface ReadBundle {
  bundle: Bundle;
  /** Where the run keeps it. */
  content: ContentRef;
  attached: AttachedRecords;
}

/**
 * `signal` ends the reading, and later the storing of what was read. Errors: `INVALID_ARGS` where no bundle is,
 * `MISSING_ARTIFACT` where files of it are not, and those of `parseBundle`.
 */
export async function readBundle(ports: Ports, folder: string, signal?: AbortSignal): Promise<ReadBundle> {
  const facts = { bundle: folder };
  const file = await ports.inputs.read(`${folder}/${BUNDLE_FILE}`, MAX_JSON_BYTES);
  if (file.kind !== "read") {
    const why = file.kind === "refused" ? `${BUNDLE_FILE}: ${file.why}` : `it holds no ${BUNDLE_FILE}`;
    throw new RunError("INVALID_ARGS", { reason: `this is no bundle: ${why}`, option: "--bundle", ...facts });
  }
  const value = parseStrictJson(file.bytes);
  const bundle = parseBundle(value, facts);
  const sources = [];
  const problems: FileProblem[] = [];
  for (const source of bundle.sources) {
    const read = await readSource({ ports, folder, signal }, source);
    sources.push(read.attached);
    problems.push(...read.problems);
  }
  if (problems.length > 0) throw damaged(problems, facts);
  return kept(bundle, value, sources);
}

/** The bundle that a run replays, for a fork of that run. The sources come along as in every fork. */
export async function storedBundle({ store }: Ports, runRoot: string, content: ContentRef): Promise<ReadBundle> {
  const value = parseStrictJson(await store.readContent(runRoot, content));
  return kept(parseBundle(value, { run_root: runRoot, path: content.path }), value, []);
}

function kept(bundle: Bundle, value: unknown, sources: readonly AttachedRecords[]): ReadBundle {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const sha256 = digestOfBytes(bytes);
  const content = { path: resultFile(sha256), sha256, bytes: bytes.byteLength };
  const contents = [{ path: content.path, read: async () => bytes }, ...sources.flatMap((source) => source.contents)];
  return { bundle, content, attached: { records: sources.flatMap(({ records }) => records), contents } };
}

// --- sources ------------------------------------------------------------------------------------------------------

/** A larger file of a bundle is refused, whatever the bundle says of it. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** The paths are made from digests, so no bundle can lead out of its folder. */
async function readSource(
  place: BundlePlace,
  source: Source,
): Promise<{ attached: AttachedRecords; problems: FileProblem[] }> {
  const paths = sourceFiles(source.source_digest);
  const bytesFile = { ...place, path: paths.bytes, sha256: source.source_digest };
  const textFile = { ...place, path: paths.text, sha256: source.text_digest };
  const [bytes, text] = [await checked(bytesFile), await checked(textFile)];
  const problems = [bytes, text].filter((one) => "expected" in one);
  if ("expected" in bytes || "expected" in text) return { attached: { records: [], contents: [] }, problems };
  if (bytes.byteLength !== source.bytes)
    problems.push({ path: paths.bytes, expected: `${source.bytes} bytes`, found: `${bytes.byteLength} bytes` });
  if (!isTextOf(source, bytes, text))
    problems.push({ path: paths.text, expected: "the text of the bytes beside it", found: "another text" });
  const meta = new TextEncoder().encode(`${canonicalJson(source)}\n`);
  const files = [
    { path: paths.bytes, sha256: source.source_digest, bytes: bytes.byteLength },
    { path: paths.text, sha256: source.text_digest, bytes: text.byteLength },
    { path: paths.meta, sha256: digestOfBytes(meta), bytes: meta.byteLength },
  ];
  const contents = [
    { path: paths.bytes, read: () => again(bytesFile) },
    { path: paths.text, read: () => again(textFile) },
    { path: paths.meta, read: async () => meta },
  ];
  return { attached: { records: [{ kind: "source.stored", data: { source, files } }], contents }, problems };
}

interface BundlePlace {
  ports: Ports;
  folder: string;
  signal: AbortSignal | undefined;
}

interface FileOfBundle extends BundlePlace {
  path: string;
  sha256: Digest;
}

const NOTHING = "nothing";

async function checked({ ports, folder, signal, path, sha256 }: FileOfBundle): Promise<Uint8Array | FileProblem> {
  await ports.clock.turn();
  signal?.throwIfAborted();
  const file = await ports.inputs.read(`${folder}/${path}`, MAX_FILE_BYTES);
  if (file.kind !== "read") return { path, expected: sha256, found: file.kind === "absent" ? NOTHING : file.why };
  const found = digestOfBytes(file.bytes);
  return found === sha256 ? file.bytes : { path, expected: sha256, found };
}

/** A file is read once to be checked and once to be stored, and may have changed in between. */
async function again(file: FileOfBundle): Promise<Uint8Array> {
  const read = await checked(file);
  if ("expected" in read) throw damaged([read], { bundle: file.folder });
  return read;
}

function damaged(files: readonly FileProblem[], facts: { bundle: string }): RunError {
  const onlyMissing = files.every(({ found }) => found === NOTHING);
  const reason = onlyMissing ? "files of the bundle are missing" : "the bundle does not verify";
  return new RunError(onlyMissing ? "MISSING_ARTIFACT.bundle" : "INTEGRITY_ERROR.bundle", { reason, ...facts, files });
}
