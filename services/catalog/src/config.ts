import { address, outboxConfig, readConfig, serviceConfig } from "@ems/kit/config";

const shape = { ...serviceConfig, ...outboxConfig };
const peersShape = { IDENTITY_ADDRESS: address() };

/** Every variable that the process reads. */
export const catalogVariables = Object.keys({ ...shape, ...peersShape });

export type CatalogConfig = ReturnType<typeof readConfig<typeof shape>>;

export function catalogConfig(env: Record<string, string | undefined>): CatalogConfig {
  return readConfig(shape, env);
}

/** Where the services are that catalog asks, when it runs as a process of its own. */
export function catalogPeers(env: Record<string, string | undefined>) {
  return { identity: readConfig(peersShape, env).IDENTITY_ADDRESS };
}
