// Keys of the mesh's processes: Ed25519, as openssl writes them. Private keys are PKCS #8 (PEM, or base64 of DER), public
// keys base64 of DER (SPKI).

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/** Public keys by process; during key rotation a process has two. */
export type PublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

/** Reads an Ed25519 private key; undefined if the text is not one. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const isPem = text.includes("-----BEGIN");
  return ed25519(() =>
    isPem
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" }),
  );
}

/** Reads an Ed25519 public key as PEM, or base64 of DER (SPKI); undefined if the text is not one. */
export function readPublicKey(text: string): KeyObject | undefined {
  const isPem = text.includes("-----BEGIN PUBLIC KEY-----");
  if (!isPem && !/^[A-Za-z0-9+/]+=*$/.test(text)) return undefined;
  return ed25519(() =>
    isPem ? createPublicKey(text) : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
  );
}

/** Reads the keys in `name:key,name:key`; undefined if one is invalid, or a name has more than two. */
export function readPublicKeys(text: string): PublicKeys | undefined {
  const keys = new Map<string, KeyObject[]>();
  for (const entry of text.split(",").map((key) => key.trim())) {
    const [, name, encoded] = /^([a-z][a-z0-9-]*):([A-Za-z0-9+/]+=*)$/.exec(entry) ?? [];
    if (name === undefined || encoded === undefined) return undefined;
    const key = readPublicKey(encoded);
    const rest = keys.get(name) ?? [];
    if (key === undefined || rest.length === 2) return undefined;
    keys.set(name, [...rest, key]);
  }
  return keys;
}

/** Returns true if the process's own public key is among the published ones. */
export function isPublished(name: string, privateKey: KeyObject, publicKeys: PublicKeys): boolean {
  const own = createPublicKey(privateKey);
  return publicKeys.get(name)?.some((key) => key.equals(own)) ?? false;
}

/** Creates a private key, in the format of RPC_PRIVATE_KEY. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
}

/** Returns the public keys of `privateKeys`, by process, in the format of RPC_PUBLIC_KEYS. */
export function listPublicKeys(privateKeys: Readonly<Record<string, string>>): string {
  const entries = Object.entries(privateKeys).map(([name, text]) => {
    const key = readPrivateKey(text);
    if (key === undefined) throw new Error(`the private key of ${name} is invalid`);
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
