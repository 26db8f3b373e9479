import { list, publicUrlConfig, z } from "@ems/kit/config";
import { isLoopbackName } from "../origin.ts";

const issuerText = () =>
  z
    .url({ protocol: /^https?$/, error: "must be an https:// URL" })
    .refine((text) => isSafeIssuer(text), "must be an https:// URL without query and fragment");

/** Sign-in at an OpenID Connect provider; off without an issuer. */
export const openIdSettings = {
  ...publicUrlConfig,
  OIDC_ISSUER: issuerText()
    .optional()
    .describe(
      "OpenID Connect issuer for sign-in, whose discovery document is at `/.well-known/openid-configuration` below it. Unset: sign-in with an API key.",
    ),
  OIDC_CLIENT_ID: z.string().optional().describe("Client ID of this installation at the provider."),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret, sent by HTTP Basic; unset for a public client, which only PKCE protects."),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must be scopes separated by spaces, openid first")
    .default("openid email profile")
    .describe("Requested scopes, separated by spaces; without `email`, people cannot accept invitations."),
  OIDC_EMAIL_VERIFIED_CLAIM: z
    .string()
    .default("email_verified")
    .describe("Claim that marks an address as verified; Entra ID uses `xms_edov`."),
  OIDC_NAME: z
    .string()
    .max(60)
    .optional()
    .describe("Name of the provider on the sign-in page; the issuer's host when unset."),
  OIDC_OWNERS: list()
    .pipe(z.array(z.email("must be email addresses, joined by commas").toLowerCase()))
    .default([])
    .describe(
      "Verified email addresses, joined by commas. At sign-in, these people become owners of every application of the first organization.",
    ),
};

const missing = "is required when OIDC_ISSUER is set";

/** Settings that a provider requires. */
export const requiredOpenIdSettings = {
  ...openIdSettings,
  PUBLIC_URL: publicUrlConfig.PUBLIC_URL.unwrap().refine(
    (origin) => isSafeIssuer(origin),
    "must be https:// when OIDC_ISSUER is set",
  ),
  OIDC_CLIENT_ID: z.string(missing),
};

/** True for HTTPS, and for plain HTTP at loopback addresses. */
function isSafeIssuer(text: string): boolean {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || isLoopbackName(url?.hostname);
  return isSafe && url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}
