// What the console gives away sealed: sessions and sign-in links, as text for cookies and URLs.

import { hkdfSync } from "node:crypto";
import type { z } from "@ems/kit/config";
import { secureRandom } from "@ems/kit/id";
import { type SecretBox, secretBox } from "@ems/kit/secret-box";
import type { GatewayConfig } from "../config.ts";

export type KeySettings = Pick<GatewayConfig, "CONSOLE_SEALING_KEYS" | "RPC_PRIVATE_KEY">;

export class Seal {
  readonly #box: SecretBox;

  /** With the keys of the setting, or one derived from the key that all gateways have, so that a session is one at each. */
  constructor({ CONSOLE_SEALING_KEYS, RPC_PRIVATE_KEY }: KeySettings) {
    this.#box = secretBox(CONSOLE_SEALING_KEYS ?? derivedKey(RPC_PRIVATE_KEY), secureRandom, "console");
  }

  seal(value: unknown, place: string): string {
    const text = this.#box.seal(JSON.stringify(value), place);
    // Base64 as Node reads it too, in letters that cookies and URLs hold unencoded.
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** Undefined when the text is forged, of another place, or sealed with a key that is gone. */
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
