// Keys of the mesh's processes: Ed25519, in the forms that openssl writes. A private one is PKCS #8 (PEM, or base64 of DER),
// a public one base64 of DER (SPKI).

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/** Public keys by process; a process that changes keys has two for the while. */
export type PublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

/** The key in `text`; undefined when there is none of that kind. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const isPem = text.includes("-----BEGIN");
  return ed25519(() =>
    isPem
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" }),
  );
}

/** The keys of `name:key,name:key`; undefined when one cannot be read, or a name has more than two. */
export function readPublicKeys(text: string): PublicKeys | undefined {
  const keys = new Map<string, KeyObject[]>();
  for (const entry of text.split(",").map((one) => one.trim())) {
    const [, name, encoded] = /^([a-z][a-z0-9-]*):([A-Za-z0-9+/]+=*)$/.exec(entry) ?? [];
    if (name === undefined || encoded === undefined) return undefined;
    const key = ed25519(() => createPublicKey({ key: Buffer.from(encoded, "base64"), format: "der", type: "spki" }));
    const known = keys.get(name) ?? [];
    if (key === undefined || known.length === 2) return undefined;
    keys.set(name, [...known, key]);
  }
  return keys;
}

/** Whether the process's own public key is among those that the others are given. */
export function isPublished(name: string, privateKey: KeyObject, publicKeys: PublicKeys): boolean {
  const own = createPublicKey(privateKey);
  return publicKeys.get(name)?.some((key) => key.equals(own)) ?? false;
}

/** A private key that nobody else has, as RPC_PRIVATE_KEY holds it. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
}

/** The public keys of `privateKeys`, which stand under their process's name, as RPC_PUBLIC_KEYS holds them. */
export function publicKeysOf(privateKeys: Readonly<Record<string, string>>): string {
  const entries = Object.entries(privateKeys).map(([name, text]) => {
    const key = readPrivateKey(text);
    if (key === undefined) throw new Error(`the private key of ${name} is none`);
    return `${name}:${createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64")}`;
  });
  return entries.join(",");
}

function ed25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
