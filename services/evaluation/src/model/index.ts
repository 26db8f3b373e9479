import { createPublicHosts, type PublicHosts, tlsContext, usualPorts } from "@ems/kit/hosts";
import { type PriceOf, pricing } from "@ems/kit/prices";
import type { ModelCaller } from "../judges/index.ts";
import { type CalledConnection, DroppedParameters, modelCaller, ping } from "./caller.ts";
import { createModelFetch } from "./model-fetch.ts";
import type { ModelConfig } from "./settings.ts";

export type { CalledConnection } from "./caller.ts";
export { costMicro, tokensMax } from "./cost.ts";

/** Calls of models: the only place that makes them. */
export interface Models {
  readonly hosts: PublicHosts;
  readonly priceOf: PriceOf;
  caller(connection: CalledConnection): ModelCaller;
  /** Asks for one token; the model that answered. Throws a ModelFault. */
  ping(connection: CalledConnection, timeoutMs: number, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Beside those of webhooks 80, for servers in private networks, where http is allowed. */
const ports = [{ first: 80, last: 80 }, ...usualPorts];
const dnsTimeoutMs = 3_000;

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
  const { fetch } = modelFetch;
  const dropped = new DroppedParameters();
  return {
    hosts,
    priceOf: pricing(config.MODEL_PRICES),
    caller: (connection) => modelCaller(connection, { fetch, timeoutMs: config.MODEL_CALL_TIMEOUT_MS, dropped }),
    ping: (connection, timeoutMs, signal) => ping(connection, { fetch, timeoutMs, dropped }, signal),
    close: () => modelFetch.close(),
  };
}
