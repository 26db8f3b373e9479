// The OpenID Connect provider: starts sign-ins and verifies the returned identity.

import type { Clock } from "@ems/kit/clock";
import { edgeReader, shortName } from "@ems/kit/edges";
import * as client from "openid-client";
import type { GatewayConfig } from "../../config.ts";
import { callbackPath } from "./paths.ts";

/** Sign-in attempt, stored in the browser while a person is at the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE verifier; the provider knows its digest. */
  readonly verifier: string;
}

/** Person as described by the provider. */
export interface ProvidedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** E-mail address; undefined when the provider returns none. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
}

export type ProviderConfig = Pick<
  GatewayConfig,
  | "OIDC_ISSUER"
  | "OIDC_CLIENT_ID"
  | "OIDC_CLIENT_SECRET"
  | "OIDC_SCOPES"
  | "OIDC_NAME"
  | "OIDC_EMAIL_VERIFIED_CLAIM"
  | "PUBLIC_URL"
>;

const read = edgeReader("identity_provider");
const timeoutS = 10;
/** The discovery document is reloaded after this time; the cached one remains in use while that fails. */
const freshMs = 60 * 60_000;
/** A failure to load the discovery document is cached this long, so that waiting people cause few calls. */
const failedMs = 2_000;

export class OpenIdProvider {
  readonly issuer: string;
  readonly publicUrl: string;
  /** Display name of the provider. */
  readonly name: string;
  readonly #config: ProviderConfig;
  readonly #clock: Clock;
  #cached: { readonly configuration: client.Configuration; readonly atMs: number } | undefined;
  #reading: Promise<client.Configuration> | undefined;
  #failed: { readonly error: unknown; readonly atMs: number } | undefined;

  private constructor(config: ProviderConfig, issuer: string, publicUrl: string, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.issuer = issuer;
    this.publicUrl = publicUrl;
    this.name = config.OIDC_NAME ?? new URL(issuer).host;
  }

  /**
   * Creates the provider; undefined without an issuer. Loads nothing yet, so a provider that is down does not prevent
   * the start.
   */
  static of(config: ProviderConfig, clock: Clock): OpenIdProvider | undefined {
    const { OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl } = config;
    return issuer === undefined || publicUrl === undefined
      ? undefined
      : new OpenIdProvider(config, issuer, publicUrl, clock);
  }

  /** Creates the provider's sign-in URL and the attempt to store in the browser. */
  async begin(): Promise<{ url: URL; attempt: Attempt }> {
    const configuration = await this.#configuration();
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.publicUrl + callbackPath,
      scope: this.#config.OIDC_SCOPES,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
    });
    return { url, attempt };
  }

  /**
   * Exchanges the callback's `query` for the person. Throws unless it matches `attempt`. The provider's tokens are not
   * stored.
   */
  async finish(query: string, { state, nonce, verifier }: Attempt): Promise<ProvidedPerson> {
    const configuration = await this.#configuration();
    const url = new URL(`${this.publicUrl}${callbackPath}?${query}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, url, checks);
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("the provider sent no ID token");
    const isComplete = claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
    const profile: Readonly<Record<string, unknown>> = isComplete
      ? claims
      : { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), sub: claims.sub };
    const subject = read("subject", claims.sub, shortName);
    if (subject === undefined) throw new Error("the provider's subject is not a name of at most 255 characters");
    const { email, name } = profile;
    return {
      issuer: this.issuer,
      subject,
      email: read("email", email, shortName),
      isEmailVerified: isYes(profile[this.#config.OIDC_EMAIL_VERIFIED_CLAIM]),
      name: typeof name === "string" ? displayName(name) : undefined,
    };
  }

  /** Returns the provider's sign-out page; undefined when it has none or does not respond. */
  async signOutUrl(): Promise<string | undefined> {
    const configuration = await this.#configuration().catch(() => undefined);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    const parameters = { post_logout_redirect_uri: `${this.publicUrl}/sign-in` };
    return client.buildEndSessionUrl(configuration, parameters).href;
  }

  async #configuration(): Promise<client.Configuration> {
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cached;
    if (cached !== undefined && nowMs - cached.atMs < freshMs) return cached.configuration;
    const isDown = this.#failed !== undefined && nowMs - this.#failed.atMs < failedMs;
    if (isDown && cached !== undefined) return cached.configuration;
    if (isDown) throw this.#failed?.error;
    this.#reading ??= this.#discover().finally(() => {
      this.#reading = undefined;
    });
    return cached === undefined ? this.#reading : this.#reading.catch(() => cached.configuration);
  }

  async #discover(): Promise<client.Configuration> {
    const { OIDC_CLIENT_ID: id = "", OIDC_CLIENT_SECRET: secret } = this.#config;
    const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
    const issuer = new URL(this.issuer);
    // Check signatures even though the token comes directly from the provider.
    const execute = [client.enableNonRepudiationChecks];
    // The settings allow plain HTTP for loopback addresses only.
    if (issuer.protocol === "http:") execute.push(client.allowInsecureRequests);
    try {
      const options = { execute, timeout: timeoutS };
      const configuration = await client.discovery(issuer, id, undefined, authentication, options);
      this.#cached = { configuration, atMs: this.#clock.now().getTime() };
      return configuration;
    } catch (error) {
      this.#failed = { error, atMs: this.#clock.now().getTime() };
      throw error;
    }
  }
}

/** True for `true`, and for the text or number that some providers send instead. */
function isYes(claim: unknown): boolean {
  return claim === true || claim === "true" || claim === 1 || claim === "1";
}

/** Returns one line of at most 255 characters; undefined when nothing is left. */
function displayName(name: string): string | undefined {
  const line = name
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 255)
    .toWellFormed();
  return line === "" ? undefined : line;
}
