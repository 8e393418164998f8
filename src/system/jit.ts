// Keeps JavaScriptCore from compiling at first: a short command runs most of its code once, and ends before compiling it has paid.

/** How many times as often as usual functions have to be called before they are compiled. */
const RELUCTANCE = 100;
/** Whatever takes longer does the same many times over. */
const SHORT_MS = 100;

export function compileLittleAtFirst(): void {
  Bun.unsafe.setJITPolicy(RELUCTANCE);
  setTimeout(() => Bun.unsafe.setJITPolicy(1), SHORT_MS).unref();
}
