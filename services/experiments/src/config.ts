import { address, count, outboxConfig, readConfig, serviceConfig } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  /** The most traces and steps that one request of ingestion may make. */
  INGEST_ROWS_MAX: count().default(10_000),
};
const peersShape = { IDENTITY_ADDRESS: address(), CATALOG_ADDRESS: address() };

/** Every variable that the process reads. */
export const experimentsVariables = Object.keys({ ...shape, ...peersShape });

export type ExperimentsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function experimentsConfig(env: Record<string, string | undefined>): ExperimentsConfig {
  return readConfig(shape, env);
}

/** Where the services are that experiments asks, when it runs as a process of its own. */
export function experimentsPeers(env: Record<string, string | undefined>) {
  const { IDENTITY_ADDRESS, CATALOG_ADDRESS } = readConfig(peersShape, env);
  return { identity: IDENTITY_ADDRESS, catalog: CATALOG_ADDRESS };
}
