// The conformance suite of what is handed to a run: content that is stored in it, and requests to its owner.
import { describe, expect, test as bunTest } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { MAX_CONTENT_BYTES } from "../../src/stores/disk/content-files.ts";
import { codeOf, mustAcquire, runIn, type LogWorld, type Register } from "./run-log.ts";
import { noted, pauseRequest, resultRequest, runCreated, sourceNamed } from "./sample-run.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function testHandedOver(name: string, makeWorld: () => Promise<LogWorld>, test: Register = bunTest): void {
  const withRun = runIn(makeWorld);

  describe(`${name}, content`, () => {
    test(
      "any bytes come back as they were, none at all, zeros and what is no text",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        for (const [at, given] of [
          new Uint8Array(),
          new Uint8Array(9),
          new Uint8Array([0xff, 0xfe, 0, 10, 13]),
        ].entries()) {
          const ref = await writer.storeContent(`sources/${at}`, given);
          expect(await otherProcess().readContent(runRoot, ref)).toEqual(given);
        }
        await writer.release();
      }),
    );

    test(
      "bytes are the store's own: neither who gave them nor who read them can change them afterwards",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const given = bytes("as it was");
        const ref = await writer.storeContent("sources/x", given);
        given.fill(0);
        (await writer.readContent(ref)).fill(0);
        (await store.readContent(runRoot, ref)).fill(0);
        expect(new TextDecoder().decode(await writer.readContent(ref))).toBe("as it was");
        await writer.release();
      }),
    );

    test(
      "what is too large is refused before it is stored, and the writer goes on",
      withRun(async ({ store, runsRoot }, runRoot) => {
        const huge = { path: "sources/huge", bytes: new Uint8Array(MAX_CONTENT_BYTES + 1) };
        const other = `${runsRoot}/dr_huge`;
        expect(await codeOf(store.create(other, [runCreated("dr_huge")], [huge]))).toBe("INPUT_TOO_LARGE");
        expect(await codeOf(store.look(other))).toBe("NOT_FOUND");
        const writer = await mustAcquire(store, runRoot);
        expect(await codeOf(() => writer.storeContent(huge.path, huge.bytes))).toBe("INPUT_TOO_LARGE");
        expect(await codeOf(() => writer.readContent({ path: huge.path, sha256: digestOfBytes("") }))).toBe(
          "MISSING_ARTIFACT",
        );
        await writer.storeContent("sources/small", new Uint8Array(1));
        await writer.release();
      }),
    );

    test(
      "files of a new run are read one at a time, and where one cannot be read no run is made",
      withRun(async ({ store, runsRoot }) => {
        const root = `${runsRoot}/dr_later`;
        let open = 0;
        let most = 0;
        const file = (path: string, fails = false) => ({
          path,
          read: async () => {
            most = Math.max(most, ++open);
            await Promise.resolve();
            open--;
            if (fails) throw new Error("it is gone");
            return bytes(path);
          },
        });
        const drafts = [runCreated("dr_later")] as [ReturnType<typeof runCreated>];
        expect(store.create(root, drafts, [file("sources/a"), file("sources/b", true)])).rejects.toThrow("it is gone");
        expect(await codeOf(store.look(root))).toBe("NOT_FOUND");
        expect(
          await store.create(
            root,
            drafts,
            ["a", "b", "c"].map((at) => file(`sources/${at}`)),
          ),
        ).toEqual({
          kind: "created",
        });
        expect(most).toBe(1);
        const ref = { path: "sources/b", sha256: digestOfBytes(bytes("sources/b")) };
        expect(await store.readContent(root, ref)).toEqual(bytes("sources/b"));
      }),
    );

    test(
      "what a successor stored and named stays, also where a late owner stores under the same name",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const late = await mustAcquire(store, runRoot);
        const next = await mustAcquire(otherProcess(), runRoot, { force: true });
        const { draft, path, bytes: theirs } = sourceNamed("the successor's");
        const ref = await next.storeContent(path, theirs);
        await next.commit([draft]);
        expect(await codeOf(() => late.storeContent(path, bytes("of the late one")))).toBe("LOCK_LOST");
        expect(await next.readContent(ref)).toEqual(theirs);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
        await next.release();
      }),
    );

    test(
      "stored side by side, each is there",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const texts = Array.from({ length: 20 }, (_, n) => `text ${n % 7}`);
        const refs = await Promise.all(texts.map((text) => writer.storeContent(sourceNamed(text).path, bytes(text))));
        for (const [at, ref] of refs.entries())
          expect(new TextDecoder().decode(await writer.readContent(ref))).toBe(texts[at] ?? "");
        await writer.release();
      }),
    );
  });

  describe(`${name}, requests`, () => {
    test(
      "the bytes that come with a request are read by their place and digest, until it is dropped",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const parts = [bytes("the answer"), bytes("a document"), new Uint8Array()];
        const request = resultRequest(parts);
        await otherProcess().request(runRoot, request, parts);
        const writer = await mustAcquire(store, runRoot);
        expect(await writer.requests()).toEqual([request]);
        for (const [at, part] of parts.entries()) {
          const ref = { sha256: digestOfBytes(part), bytes: part.byteLength };
          expect(await writer.requestPart("req-1", at, ref)).toEqual(part);
        }
        const other = { sha256: digestOfBytes("another"), bytes: 10 };
        for (const place of [0, 3]) expect(await writer.requestPart("req-1", place, other)).toBeNull();
        await writer.dropRequest("req-1");
        const first = { sha256: digestOfBytes(bytes("the answer")), bytes: 10 };
        expect([await writer.requests(), await writer.requestPart("req-1", 0, first)]).toEqual([[], null]);
        await writer.release();
      }),
    );

    test(
      "one that is taken back is gone; to take back one that is not there is no error",
      withRun(async ({ store, otherProcess }, runRoot) => {
        await store.request(runRoot, pauseRequest("req-1"));
        await store.request(runRoot, pauseRequest("req-2"));
        await otherProcess().withdraw(runRoot, "req-1");
        await otherProcess().withdraw(runRoot, "req-1");
        await store.withdraw(runRoot, "never-there");
        expect((await store.look(runRoot)).requests).toEqual([pauseRequest("req-2")]);
      }),
    );

    test(
      "one whose name another one has is not acknowledged, and the first stays",
      withRun(async ({ store }, runRoot) => {
        await store.request(runRoot, pauseRequest("req-1"));
        const other = { ...pauseRequest("req-1"), reason: "another" };
        expect(await codeOf(store.request(runRoot, other))).toBe("WRITE_FAILED");
        expect((await store.look(runRoot)).requests).toEqual([pauseRequest("req-1")]);
      }),
    );

    test(
      "one that names a hundred documents by long names is read; one that nobody would read is refused",
      withRun(async ({ store }, runRoot) => {
        const bringing = (documents: number, id: string) => {
          const request = resultRequest([bytes("the answer")], id);
          const part = { sha256: digestOfBytes(""), bytes: 0 };
          const sources = Array.from({ length: documents }, (_, at) => ({
            name: `${"n".repeat(1_000)}-${at}.md`,
            ...part,
          }));
          return { ...request, sources } as typeof request;
        };
        await store.request(runRoot, bringing(100, "req-1"));
        expect(await codeOf(store.request(runRoot, bringing(2_000, "req-2")))).toBe("INPUT_TOO_LARGE");
        expect((await store.look(runRoot)).requests.map(({ request_id }) => request_id)).toEqual(["req-1"]);
      }),
    );

    test(
      "those that wait outlive their owner, and the next one gets them",
      withRun(async ({ store, otherProcess, dyingProcess }, runRoot) => {
        await dyingProcess(async (dying) => {
          await mustAcquire(dying, runRoot);
          await otherProcess().request(runRoot, pauseRequest("req-1"));
        });
        await otherProcess().request(runRoot, pauseRequest("req-2"));
        const writer = await mustAcquire(store, runRoot);
        expect((await writer.requests()).map(({ request_id }) => request_id)).toEqual(["req-1", "req-2"]);
        await writer.release();
        expect((await store.look(runRoot)).requests).toHaveLength(2);
      }),
    );

    test(
      "they change neither the records nor the state",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([noted("a")]);
        await Promise.all(
          Array.from({ length: 5 }, (_, n) => otherProcess().request(runRoot, pauseRequest(`req-${n}`))),
        );
        await writer.commit([noted("b")], { expectedRevision: 3 });
        expect(await writer.requests()).toHaveLength(5);
        expect((await store.records(runRoot)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
        await writer.release();
      }),
    );

    test(
      "where no run is, nobody takes one",
      withRun(async ({ store, runsRoot }) => {
        expect(await codeOf(store.request(`${runsRoot}/dr_none`, pauseRequest()))).toBe("NOT_FOUND");
      }),
    );

    test(
      "a name that leads elsewhere reaches nothing",
      withRun(async ({ store }, runRoot) => {
        const { path, bytes: kept, draft } = sourceNamed("kept");
        const writer = await mustAcquire(store, runRoot);
        const ref = await writer.storeContent(path, kept);
        await writer.commit([draft]);
        for (const odd of [`../${path}`, "../journal", "/etc/passwd", ".."]) {
          await writer.dropRequest(odd).catch(() => undefined);
          await store.withdraw(runRoot, odd).catch(() => undefined);
          expect(await codeOf(store.request(runRoot, pauseRequest(odd)))).toBe("SCHEMA_VALIDATION_FAILED");
        }
        expect(await writer.readContent(ref)).toEqual(kept);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
        await writer.release();
      }),
    );
  });
}
