// Authentication: resolves the headers x-api-key and x-application-id, or a session of the console, to a tenant.

import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError, forbidden, unauthenticated } from "@ems/kit/errors";
import type { GatewayConfig } from "../config.ts";
import { countAuthentication } from "../telemetry.ts";
import { clientNetwork } from "./client-address.ts";
import { FailureDelay } from "./failure-delay.ts";
import type { KeyOwners } from "./key-owners.ts";
import type { Members, SignedIn } from "./members.ts";
import type { Principal } from "./principal.ts";

/** Advice to a client without a valid key. */
const howToAuthenticate = "Send an API key of the application: `authorization: Bearer ems_...` or `x-api-key: ems_...`";

/** What a request shows. */
export interface Shown {
  readonly apiKey?: string | undefined;
  /** In place of a key: the person whose session the request has. */
  readonly signedIn?: SignedIn | undefined;
  /** The application that the request names. */
  readonly applicationId: string | undefined;
}

export interface Credentials extends Shown {
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
   * The tenant of the credentials. Throws unauthenticated (a header is missing or the key unknown), forbidden (the key's
   * application is another one) or unavailable. Where the application is optional, it defaults to the key's.
   */
  async tenant(credentials: Credentials, { isApplicationOptional = false } = {}): Promise<Principal> {
    const { apiKey, signedIn, applicationId, address, requestId, disconnected } = credentials;
    try {
      if (!(apiKey || signedIn)) throw unauthenticated("API_KEY_MISSING", howToAuthenticate);
      if (!(applicationId || isApplicationOptional)) {
        throw unauthenticated("APPLICATION_ID_MISSING", "Send the application's id as `x-application-id`");
      }
      const owner = signedIn
        ? await this.#members.find(signedIn, requestId)
        : await this.#owners.find(apiKey ?? "", address, requestId);
      if (owner === undefined) {
        if (signedIn) throw unauthenticated("API_KEY_INVALID", "You are no member of the application any more");
        return await this.refuse(address, disconnected?.());
      }
      if (applicationId && owner.applicationId !== applicationId.toLowerCase())
        throw forbidden("APPLICATION_FORBIDDEN", "The API key is of another application");
      countAuthentication({ result: "valid" });
      return applicationId ? owner : { ...owner, isApplicationImplied: true };
    } catch (error) {
      countAuthentication({ result: apiKey || signedIn ? failureResult(error) : "missing" });
      throw error;
    }
  }

  /** Throws unauthenticated, after the delay of failures from the address. */
  async refuse(address: string, disconnected?: AbortSignal): Promise<never> {
    await this.#failures.delay(clientNetwork(address), disconnected);
    throw unauthenticated("API_KEY_INVALID", "There is no such API key, or it has expired");
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

/** `authorization: Bearer` or `x-api-key`; REST has the second only, as its specification says. */
export function apiKeyOf({ authorization, "x-api-key": apiKey }: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  return bearer ?? singleValue(apiKey);
}

export function singleValue(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
