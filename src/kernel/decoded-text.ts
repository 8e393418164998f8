// The text of bytes in UTF-8, where places in it are counted: a byte order mark that stands there counts.

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodedText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}
