// Makes the checksums of rows in the index, so that a flipped bit changes no digest and no order of results.

export function sealOf(...fields: readonly (string | number | null)[]): number {
  return Bun.hash.crc32(fields.join("\n"));
}

/** `number` is another field of the row. */
export function sealOfBytes(bytes: Uint8Array, number: number): number {
  return Bun.hash.crc32(bytes, number);
}
