import { list, publicUrlConfig, z } from "@ems/kit/config";
import { isLoopbackName } from "../origin.ts";

const issuerText = () =>
  z
    .url({ protocol: /^https?$/, error: "must be an https:// URL" })
    .refine((text) => isSafeIssuer(text), "must be an https:// URL without query and fragment");

/** Sign-in of people; none without an issuer. */
export const openIdSettings = {
  ...publicUrlConfig,
  OIDC_ISSUER: issuerText()
    .optional()
    .describe(
      "OpenID Connect provider that people sign in at: the issuer, below which its discovery document lies. Unset: people sign in with an API key.",
    ),
  OIDC_CLIENT_ID: z.string().optional().describe("Id of this installation at the provider."),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Its secret, sent by HTTP Basic; unset for a public client, which PKCE protects alone."),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must be scopes joined by spaces, openid first")
    .default("openid email profile")
    .describe("Scopes to ask for, joined by spaces: without `email`, nobody can accept an invitation."),
  OIDC_EMAIL_VERIFIED_CLAIM: z
    .string()
    .default("email_verified")
    .describe("Claim by which the provider calls an address verified; Entra ID's is `xms_edov`."),
  OIDC_NAME: z
    .string()
    .max(60)
    .optional()
    .describe("What the sign-in page calls the provider; the issuer's host when unset."),
  OIDC_OWNERS: list()
    .pipe(z.array(z.email("must be e-mail addresses, joined by commas").toLowerCase()))
    .default([])
    .describe(
      "Verified e-mail addresses of people who become owners of every application of the first organisation when they sign in, joined by commas.",
    ),
};

const missing = "is required when OIDC_ISSUER is set";

/** With a provider, these are required. */
export const requiredOpenIdSettings = {
  ...openIdSettings,
  PUBLIC_URL: publicUrlConfig.PUBLIC_URL.unwrap().refine(
    (origin) => isSafeIssuer(origin),
    "must be https:// when OIDC_ISSUER is set",
  ),
  OIDC_CLIENT_ID: z.string(missing),
};

/** Plain HTTP is for providers on this machine. */
function isSafeIssuer(text: string): boolean {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || isLoopbackName(url?.hostname);
  return isSafe && url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}
