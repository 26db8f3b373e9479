// Tokens of the mesh, made from the description in services/kit/README.md without the product's code.

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

/** Authorization header with `claims`, signed with `privateKey` (base64 of PKCS #8); valid for two minutes unless the claims differ. */
export function callerToken(privateKey: string, claims: Claims): { authorization: string } {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const iat = Math.floor(Date.now() / 1000);
  const signed = `${encoded({ alg: "EdDSA" })}.${encoded({ iat, exp: iat + 120, ...claims })}`;
  return { authorization: `Bearer ${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}` };
}
