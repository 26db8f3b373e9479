// Encryption of values that the console hands out: sessions and sign-in links, as text for cookies and URLs.

import { hkdfSync } from "node:crypto";
import type { z } from "@ems/kit/config";
import { secureRandom } from "@ems/kit/id";
import { type SecretBox, secretBox } from "@ems/kit/secret-box";
import type { GatewayConfig } from "../config.ts";

export type KeySettings = Pick<GatewayConfig, "CONSOLE_SEALING_KEYS" | "RPC_PRIVATE_KEY">;

export class Seal {
  readonly #box: SecretBox;

  /**
   * Uses the configured keys, or one derived from the key that all gateways share: each gateway accepts all sessions.
   */
  constructor({ CONSOLE_SEALING_KEYS, RPC_PRIVATE_KEY }: KeySettings) {
    this.#box = secretBox(CONSOLE_SEALING_KEYS ?? derivedKey(RPC_PRIVATE_KEY), secureRandom, "console");
  }

  seal(value: unknown, place: string): string {
    const text = this.#box.seal(JSON.stringify(value), place);
    // URL-safe Base64, which Node also decodes, and which cookies and URLs may contain unencoded.
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** Decrypts a text; undefined when it is forged, from another place, or sealed with a removed key. */
  open<T>(text: string, place: string, schema: z.ZodType<T>): T | undefined {
    try {
      return schema.parse(JSON.parse(this.#box.open(text, place)));
    } catch {
      return undefined;
    }
  }
}

function derivedKey(privateKey: KeySettings["RPC_PRIVATE_KEY"]): string {
  const secret = privateKey.export({ format: "der", type: "pkcs8" });
  return `rpc:${Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), "console", 32)).toString("base64")}`;
}
