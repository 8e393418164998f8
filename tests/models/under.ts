// Work under another environment of the process, which the HTTP library reads by itself.

export async function under<T>(variable: string, value: string, work: () => Promise<T>): Promise<T> {
  const before = process.env[variable];
  process.env[variable] = value;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
}
