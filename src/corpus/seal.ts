// A checksum beside what the index holds: a flipped bit must become neither a wrong digest nor another order.

export function sealOf(...fields: readonly (string | number | null)[]): number {
  return Bun.hash.crc32(fields.join("\n"));
}

/** `number` stands beside the bytes. */
export function sealOfBytes(bytes: Uint8Array, number: number): number {
  return Bun.hash.crc32(bytes, number);
}
