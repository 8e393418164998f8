// Takes the lock of an index and keeps it until it is killed. Tests run it as a process of its own.
import { tryLockIndex } from "../../src/corpus/index/index-lock.ts";

const lock = await tryLockIndex(process.argv[2] ?? "");
process.stdout.write(lock === null ? "refused\n" : "held\n");
setInterval(() => {}, 1_000);
