// Authentication: resolves an API key or a console session to a tenant.

import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError, forbidden, unauthenticated } from "@ems/kit/errors";
import type { GatewayConfig } from "../config.ts";
import { countAuthentication } from "../telemetry.ts";
import { clientNetwork } from "./client-address.ts";
import { FailureDelay } from "./failure-delay.ts";
import type { KeyOwners } from "./key-owners.ts";
import type { Members, SignedIn } from "./members.ts";
import type { Principal } from "./principal.ts";

/** Next step for a client without a valid key. */
const howToAuthenticate = "Send an API key of the application: `authorization: Bearer ems_...` or `x-api-key: ems_...`";

/** Credentials in a request. */
export interface RequestCredentials {
  readonly apiKey?: string | undefined;
  /** True for a key in `authorization`, which needs no application: a key has only one. */
  readonly isBearer?: boolean;
  /** True if two headers have different keys. */
  readonly hasTwoKeys?: boolean;
  /** Signed-in person; replaces the key. */
  readonly signedIn?: SignedIn | undefined;
  /** Requested application. */
  readonly applicationId: string | undefined;
}

export interface Credentials extends RequestCredentials {
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly disconnected?: () => AbortSignal;
}

export class Authenticator {
  readonly #owners: KeyOwners;
  readonly #members: Pick<Members, "find">;
  readonly #failures: FailureDelay;

  constructor(config: GatewayConfig, owners: KeyOwners, members: Pick<Members, "find">) {
    this.#owners = owners;
    this.#members = members;
    this.#failures = new FailureDelay(config);
  }

  /**
   * Resolves the credentials to a tenant. Throws unauthenticated (a header is missing or the key is unknown), forbidden
   * (the key belongs to another application) or unavailable. An optional application defaults to the key's.
   */
  async tenant(credentials: Credentials, { isApplicationOptional = false } = {}): Promise<Principal> {
    const { apiKey, isBearer, hasTwoKeys, signedIn, applicationId, address, requestId, disconnected } = credentials;
    try {
      if (hasTwoKeys)
        throw unauthenticated(
          "API_KEY_INVALID",
          "`authorization` and `x-api-key` have different keys: send one of them",
        );
      if (!(apiKey || signedIn)) throw unauthenticated("API_KEY_MISSING", howToAuthenticate);
      if (!(applicationId || isApplicationOptional || isBearer)) {
        throw unauthenticated("APPLICATION_ID_MISSING", "Send the application's ID in the `x-application-id` header");
      }
      const owner = signedIn
        ? await this.#members.find(signedIn, requestId)
        : await this.#owners.find(apiKey ?? "", address, requestId);
      if (owner === undefined) {
        if (signedIn)
          throw unauthenticated("API_KEY_INVALID", "You are no longer a member of this application; sign in again");
        return await this.refuse(address, disconnected?.());
      }
      if (applicationId && owner.applicationId !== applicationId.toLowerCase())
        throw forbidden("APPLICATION_FORBIDDEN", "The API key belongs to another application than `x-application-id`");
      countAuthentication({ result: "valid" });
      return applicationId ? owner : { ...owner, isApplicationImplied: true };
    } catch (error) {
      countAuthentication({ result: apiKey || signedIn ? failureResult(error) : "missing" });
      throw error;
    }
  }

  /** Waits for the penalty delay of the client's network, then throws unauthenticated. */
  async refuse(address: string, disconnected?: AbortSignal): Promise<never> {
    await this.#failures.delay(clientNetwork(address), disconnected);
    throw unauthenticated("API_KEY_INVALID", "The API key does not exist or has expired");
  }
}

function failureResult(error: unknown): string {
  switch (error instanceof ConnectError ? error.code : undefined) {
    case Code.Unauthenticated:
      return "unknown";
    case Code.PermissionDenied:
      return "forbidden";
    case Code.ResourceExhausted:
      return "limited";
    default:
      return "unavailable";
  }
}

/** Path of Langfuse's SDKs, which send the key as the password of Basic authentication. */
export const basicAuthPath = "/api/public/otel/v1/traces";

/** Reads the key, in `authorization` or `x-api-key`, and the application. Basic authentication counts on one path. */
export function readCredentials(
  { authorization = "", ...headers }: IncomingHttpHeaders,
  path?: string,
): RequestCredentials {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const own = bearer ?? (path === basicAuthPath ? readBasicPassword(authorization) : undefined);
  const apiKey = singleValue(headers["x-api-key"]);
  return {
    apiKey: own ?? apiKey,
    isBearer: own !== undefined,
    hasTwoKeys: own !== undefined && apiKey !== undefined && apiKey !== own,
    applicationId: singleValue(headers["x-application-id"]),
  };
}

/** Returns the password of Basic authentication; the name before the colon has no meaning here. */
function readBasicPassword(authorization: string): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const pair = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  return colon === -1 || colon === pair.length - 1 ? undefined : pair.slice(colon + 1);
}

export function singleValue(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
