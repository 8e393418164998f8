// Makes a self-signed certificate for one host name for each test, so that no key is kept.
import crypto from "node:crypto";

type Bytes = Buffer;

export function makeCertificate(host: string): { cert: string; key: string } {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId("2a8648ce3d040302"));
  const name = sequence(tagged(0x31, sequence(objectId("550403"), tagged(0x0c, Buffer.from(host)))));
  const validity = sequence(tagged(0x17, Buffer.from("200101000000Z")), tagged(0x17, Buffer.from("490101000000Z")));
  const names = sequence(tagged(0x82, Buffer.from(host)));
  const isAuthority = sequence(tagged(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(objectId("551d11"), tagged(0x04, names)),
    sequence(objectId("551d13"), tagged(0x04, isAuthority)),
  );
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, extensions),
  );
  const signature = crypto.sign("sha256", body, privateKey);
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { cert: pem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }) };
}

function tagged(tag: number, content: Bytes): Bytes {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Bytes[]): Bytes {
  return tagged(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Bytes {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function integer(value: number): Bytes {
  return tagged(0x02, Buffer.from([value]));
}

function pem(der: Bytes): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
