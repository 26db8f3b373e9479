// Mesh tokens, built from services/kit/src/rpc/tokens/DECISION-caller-tokens.md without code of the product.

import { createPrivateKey, sign } from "node:crypto";

export interface Claims {
  readonly iss: string;
  readonly aud: string | string[];
  readonly iat?: number;
  /** Undefined omits the claim. */
  readonly exp?: number | undefined;
  readonly org_id?: string;
  readonly application_id?: string;
  readonly user_id?: string;
}

/** Returns a header with `claims`, signed with `privateKey` (base64 of PKCS #8). Default validity: two minutes. */
export function callerToken(privateKey: string, claims: Claims): { authorization: string } {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const iat = Math.floor(Date.now() / 1000);
  const signed = `${encoded({ alg: "EdDSA" })}.${encoded({ iat, exp: iat + 120, ...claims })}`;
  return { authorization: `Bearer ${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}` };
}
