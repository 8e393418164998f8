// A value that comes at once or later: real adapters answer at once, simulated ones may suspend.

export type Awaitable<T> = T | Promise<T>;
