// Encryption at rest: AES-256-GCM with a configured key. A sealed secret contains the id of its key (for rotation) and
// is bound to its place by additional authenticated data.

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./id.ts";

export interface SecretBox {
  /** Encrypts `text` for a `place`, such as `<application id>/secret`. */
  seal(text: string, place: string): string;
  /** Decrypts. Throws if the key is unknown, or `sealed` was changed or belongs to another place. */
  open(sealed: string, place: string): string;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * `keys`: `id:base64`, separated by commas; the first one seals, all of them open. With a `purpose`, keys are derived
 * for it, so that secrets sealed for another purpose do not open.
 */
export function secretBox(keys: string, random: Random, purpose?: string): SecretBox {
  const byId = new Map(
    keys.split(",").map((key) => {
      const colon = key.indexOf(":");
      const master = Buffer.from(key.slice(colon + 1), "base64");
      return [key.slice(0, colon), purpose === undefined ? master : derived(master, purpose)] as const;
    }),
  );
  const [sealing] = byId;
  if (sealing === undefined) throw new Error("no key to seal with");
  const [sealingId, sealingKey] = sealing;
  return {
    seal(text, place) {
      const iv = random(ivBytes);
      const cipher = createCipheriv(algorithm, sealingKey, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${sealingId}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64")}`;
    },
    open(sealed, place) {
      const colon = sealed.indexOf(":");
      const key = byId.get(sealed.slice(0, colon));
      if (key === undefined) throw new Error(`no key ${sealed.slice(0, colon)} to open a secret with`);
      const bytes = Buffer.from(sealed.slice(colon + 1), "base64");
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
    },
  };
}

function derived(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), purpose, 32));
}
