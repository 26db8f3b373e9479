// Authentication: resolves the headers x-api-key and x-application-id to a tenant.

import { isKey } from "@ems/kit/api-key";
import { Code, ConnectError, forbidden, unauthenticated } from "@ems/kit/errors";
import type { GatewayConfig } from "../config.ts";
import { countAuthentication } from "../telemetry.ts";
import { clientNetwork } from "./client-address.ts";
import { FailureDelay } from "./failure-delay.ts";
import type { KeyOwner, KeyOwners } from "./key-owners.ts";

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly applicationId: string | undefined;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly disconnected?: () => AbortSignal;
}

export class Authenticator {
  readonly #owners: KeyOwners;
  readonly #failures: FailureDelay;

  constructor(config: GatewayConfig, owners: KeyOwners) {
    this.#owners = owners;
    this.#failures = new FailureDelay(config);
  }

  /**
   * The tenant of the credentials. Throws unauthenticated (a header is missing or the key unknown), forbidden (the key's
   * application is another one) or unavailable. Where the application is optional, it defaults to the key's.
   */
  async tenant(credentials: Credentials, { isApplicationOptional = false } = {}): Promise<KeyOwner> {
    try {
      const owner = await this.#authenticate(credentials, isApplicationOptional);
      countAuthentication({ result: "valid" });
      return owner;
    } catch (error) {
      countAuthentication({ result: credentials.apiKey ? failureResult(error) : "missing" });
      throw error;
    }
  }

  async #authenticate(credentials: Credentials, isApplicationOptional: boolean): Promise<KeyOwner> {
    const { apiKey, applicationId, address, requestId, disconnected } = credentials;
    if (!apiKey || !(applicationId || isApplicationOptional)) throw unauthenticated();
    const network = clientNetwork(address);
    const owner = isKey(apiKey) ? await this.#owners.find(apiKey, network, requestId) : undefined;
    if (owner === undefined) {
      await this.#failures.delay(network, disconnected?.());
      throw unauthenticated();
    }
    if (!applicationId) return { ...owner, isApplicationImplied: true };
    if (owner.applicationId !== applicationId.toLowerCase()) throw forbidden();
    return owner;
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
