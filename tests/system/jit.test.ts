// Short commands run interpreted; whatever works longer is compiled as usual.
import { expect, spyOn, test } from "bun:test";
import { compileLittleAtFirst } from "../../src/system/jit.ts";

test("little is compiled at first, and as much as usual soon after", async () => {
  using setPolicy = spyOn(Bun.unsafe, "setJITPolicy").mockReturnValue(undefined);
  compileLittleAtFirst();
  expect(setPolicy.mock.calls).toEqual([[100]]);
  while (setPolicy.mock.calls.length < 2) await Bun.sleep(10);
  expect(setPolicy.mock.calls).toEqual([[100], [1]]);
});
