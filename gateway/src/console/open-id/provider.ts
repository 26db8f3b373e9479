// The OpenID Connect provider: where people are sent to sign in, and who the provider then says that they are.

import type { Clock } from "@ems/kit/clock";
import { edgeReader, shortName } from "@ems/kit/edges";
import * as client from "openid-client";
import type { GatewayConfig } from "../../config.ts";
import { callbackPath } from "./paths.ts";

/** What is kept in the browser while a person is at the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's, of which the provider knows the digest. */
  readonly verifier: string;
}

/** A person, in the provider's words. */
export interface ProvidedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined when the provider names none. */
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
/** The discovery document is read again after so long; what is known serves on while that fails. */
const freshMs = 60 * 60_000;
/** How long a failure to read it is remembered: waiting people do not multiply the calls. */
const failedMs = 2_000;

export class OpenIdProvider {
  readonly issuer: string;
  readonly publicUrl: string;
  /** What people call it. */
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

  /** Undefined without an issuer. Reads nothing yet: a provider that is down is no reason not to start. */
  static of(config: ProviderConfig, clock: Clock): OpenIdProvider | undefined {
    const { OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl } = config;
    return issuer === undefined || publicUrl === undefined
      ? undefined
      : new OpenIdProvider(config, issuer, publicUrl, clock);
  }

  /** Where to send a person, and what the browser keeps until they come back. */
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

  /** Who has come back with `query`. Throws unless it answers `attempt`. The provider's tokens are not kept. */
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
    if (subject === undefined) throw new Error("the provider's subject is no name of at most 255 characters");
    const { email, name } = profile;
    return {
      issuer: this.issuer,
      subject,
      email: read("email", email, shortName),
      isEmailVerified: isYes(profile[this.#config.OIDC_EMAIL_VERIFIED_CLAIM]),
      name: typeof name === "string" ? displayName(name) : undefined,
    };
  }

  /** Where a person signs out of the provider too; undefined when it has no such page, or does not answer. */
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
    // Signatures are checked, although the token comes from the provider itself.
    const execute = [client.enableNonRepudiationChecks];
    // The settings allow plain HTTP on this machine alone.
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

/** Some providers send a text or a number. */
function isYes(claim: unknown): boolean {
  return claim === true || claim === "true" || claim === 1 || claim === "1";
}

/** One line of at most 255 characters; undefined when nothing is left. */
function displayName(name: string): string | undefined {
  const line = name
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 255)
    .toWellFormed();
  return line === "" ? undefined : line;
}
