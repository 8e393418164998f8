// A run on a network file system: nothing works on it, wherever the work would begin; looks and removal still do.
import { describe, expect, test } from "bun:test";
import { leaseFiles } from "../../src/stores/lease/lease-files.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import {
  networkFileSystemOf,
  networkFuseAt,
  networkFuseOf,
  unlessOnNetwork,
} from "../../src/system/network-file-system.ts";
import { pauseRequest, runCreated } from "../conformance/sample-run.ts";
import { endOf, RUN, storeOf } from "../simulation/store-workload.ts";
import { errnoError } from "../simulation/faults.ts";
import { SimulatedWorld } from "../simulation/world.ts";

describe("a run that was moved to one", () => {
  async function moved() {
    const world = new SimulatedWorld({ autoAdvance: true });
    world.disk.plantFolder("/runs");
    await storeOf(world.spawn("before")).create(RUN, [runCreated()], []);
    const { files, clock, random, processes } = world.spawn("now");
    const dependencies = { files, clock, random, processes, networkFileSystemOf: () => "sshfs" };
    return { world, store: fileStore(dependencies), leases: leaseFiles(dependencies) };
  }

  test("no work begins, and nothing is written", async () => {
    const { world, store, leases } = await moved();
    const before = world.disk.paths();
    const ends = [
      store.create(`${RUN}_2`, [runCreated()], []),
      store.create(RUN, [runCreated()], []),
      store.acquire(RUN),
      store.acquireForRepair(RUN),
      store.request(RUN, pauseRequest()),
      leases.claim(RUN, { lease_seconds: 60 }),
    ].map(endOf);
    expect(await Promise.all(ends)).toEqual(Array(6).fill("INVALID_ARGS"));
    expect(world.disk.paths()).toEqual(before);
  });

  test("it can be looked at, verified, followed and removed", async () => {
    const { store } = await moved();
    expect((await store.look(RUN)).state).toBe("idle");
    expect((await store.inspect(RUN)).problems).toEqual([]);
    expect(await store.follow(RUN, 0).next()).toHaveLength(1);
    expect(await endOf(store.makeDurable(RUN))).toBe("done");
    expect((await store.remove(RUN)).kind).toBe("removed");
  });
});

test("a mount that does not answer is UNAVAILABLE, whatever is asked of it, and no loss to its owner", async () => {
  const world = new SimulatedWorld({ autoAdvance: true });
  world.disk.plantFolder("/runs");
  const actor = world.spawn("owner");
  let isAway = false;
  const whenThere = new Proxy(actor.files, {
    get(files, name) {
      const call: unknown = Reflect.get(files, name, files);
      if (typeof call !== "function") return call;
      return (...asked: unknown[]) => {
        if (isAway) throw errnoError("ENOTCONN", String(name), "/runs");
        return call.apply(files, asked);
      };
    },
  });
  const store = fileStore({ ...actor, files: whenThere });
  await store.create(RUN, [runCreated()], []);
  const acquired = await store.acquire(RUN);
  if (acquired.kind === "held") throw new Error("held");
  const { writer } = acquired;
  isAway = true;
  const ends = [
    store.look(RUN),
    store.records(RUN),
    store.request(RUN, pauseRequest()),
    writer.findLoss(),
    writer.requests(),
    writer.refresh(),
  ].map(endOf);
  expect(await Promise.all(ends)).toEqual(ends.map(() => "UNAVAILABLE"));
  isAway = false;
  expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: false });
  await writer.release();
});

describe("what FUSE serves", () => {
  const of = (served: string): string | undefined =>
    networkFuseOf(
      `31 1 0:30 / / rw - overlay overlay rw\n40 31 0:52 / /mnt/a\\040b rw,nosuid shared:7 - ${served}\n`,
      "0:52",
    );

  test.each([
    ["fuse.sshfs user@host:/srv rw", "sshfs"],
    ["fuse.s3fs s3fs rw", "s3fs"],
    ["fuse s3fs rw", "fuse"],
    ["fuse.gvfsd-fuse gvfsd-fuse rw", "gvfsd-fuse"],
    ["fuse.rclone remote:bucket rw", "rclone"],
    ["fuse.somenewfs bucket.example:/data rw", "somenewfs"],
    ["fuse https://dav.example/files rw", "fuse"],
    ["fuse.x //server/share rw", "x"],
    ["virtiofs host rw", "virtiofs"],
    ["fuse.geesefs bucket rw", "geesefs"],
    ["fuse.ossfs ossfs rw", "ossfs"],
    ["fuse.alluxio-fuse alluxio-fuse rw", "alluxio-fuse"],
    ["fuse quobyte rw", "fuse"],
  ])("%s lies elsewhere", (served, name) => expect(of(served)).toBe(name));

  test.each([
    "fuseblk /dev/sdb1 rw",
    "fuse.ext4 /dev/loop0 rw",
    "fuse.ntfs-3g /dev/sdb1 rw",
    "fuse.fuse-overlayfs fuse-overlayfs rw",
    "fuse.mergerfs disk1:disk2 rw",
    "fuse.gocryptfs /home/me/secret rw",
    "fuse.mine mine rw",
  ])("%s is local", (served) => expect(of(served)).toBeUndefined());

  test("a folder that no mount explains counts as on a network, also when the mounts cannot be read", () => {
    expect(networkFuseOf("", "0:52")).toBe("fuse");
    const unreadable = (): never => {
      throw new Error("EACCES");
    };
    expect(networkFuseAt(import.meta.dir, unreadable)).toBe("fuse");
  });
});

test("the folder of this test lies on a local disk, and so does one that is not there yet", () => {
  expect(networkFileSystemOf(import.meta.dir)).toBeUndefined();
  expect(networkFileSystemOf(`${import.meta.dir}/not/there`)).toBeUndefined();
});

test("an index on a network file system is kept in memory", () => {
  expect([unlessOnNetwork("/a", () => "nfs"), unlessOnNetwork("/a", () => undefined), unlessOnNetwork(null)]).toEqual([
    null,
    "/a",
    null,
  ]);
});
