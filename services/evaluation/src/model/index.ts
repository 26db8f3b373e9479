import { createPublicHosts, type PublicHosts, tlsContext, usualPorts } from "@ems/kit/hosts";
import { type GetPrice, pricing } from "@ems/prices";
import type { ModelCaller } from "../judges/index.ts";
import type { CalledConnection } from "./caller.ts";
import { DroppedParameters } from "./dropped-parameters.ts";
import { createModelFetch } from "./model-fetch.ts";
import type { ModelConfig } from "./settings.ts";

export type { CalledConnection } from "./caller.ts";
export { costMicro, estimateTokens, tokensMax } from "./cost.ts";

/** Prices for the model calls of an application. */
export interface TenantPrices {
  /** Returns the look-up of prices: the application's, then those of the operator and of the list. */
  of(tenant: { readonly applicationId: string; readonly orgId: string }): Promise<GetPrice>;
}

/** Makes model calls. No other code makes them. */
export interface Models {
  readonly hosts: PublicHosts;
  readonly findPrice: GetPrice;
  /** Returns the caller of a connection. `timeoutMs` limits a call; default: MODEL_CALL_TIMEOUT_MS. */
  caller(connection: CalledConnection, timeoutMs?: number): ModelCaller;
  close(): Promise<void>;
}

/** Ports of webhooks, and port 80 for servers in private networks, where http is allowed. */
const ports = [{ first: 80, last: 80 }, ...usualPorts];
const dnsTimeoutMs = 3_000;

/** Loads the code with the first call: the AI SDK takes 13 MB, which installations without model connections save. */
const loadCaller = () => import("./caller.ts");

export function createModels(config: ModelConfig): Models {
  const cidrs = config.MODEL_ALLOW_CIDRS;
  const hosts = createPublicHosts({
    allowCidrs: cidrs,
    plainCidrs: cidrs,
    ports,
    dnsServers: config.DNS_SERVERS,
    dnsTimeoutMs,
  });
  const modelFetch = createModelFetch({
    hosts,
    secureContext: tlsContext(config.MODEL_CA_FILE),
    connectTimeoutMs: config.MODEL_CONNECT_TIMEOUT_MS,
  });
  const { newFetch } = modelFetch;
  const dropped = new DroppedParameters();
  return {
    hosts,
    findPrice: pricing(config.MODEL_PRICES),
    caller: (connection, timeoutMs = config.MODEL_CALL_TIMEOUT_MS) => ({
      async generate(request) {
        // Until the first request begins, nothing has been sent.
        if (request.transmission !== undefined) request.transmission.state = "unsent";
        const { generate } = await loadCaller();
        return generate(connection, request, { newFetch, timeoutMs, dropped });
      },
    }),
    close: () => modelFetch.close(),
  };
}
