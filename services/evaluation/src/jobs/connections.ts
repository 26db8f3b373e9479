// What jobs need of model connections.

import type { Tenant } from "@ems/kit/tenant";
import type { ModelCaller, ModelFault, Usage } from "../judges/judge.ts";

export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly limits: ConnectionLimits;
  /** In millionths of a US dollar, rounded up; undefined without prices. */
  readonly cost: ((usage: Usage) => number) | undefined;
  /** Why it is paused; undefined while it works. */
  readonly pauseReason: string | undefined;
  readonly caller: ModelCaller;
}

/** Those that are undefined do not limit. */
export interface ConnectionLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Calls at one time. */
  readonly concurrency?: number | undefined;
}

export interface Connections {
  /** The connection of that id, else the default one of the application, else that of its organisation. */
  find(tenant: Tenant, id: string | undefined): Promise<Connection | undefined>;
  /** A call succeeded: failures before it are no series any more. */
  succeeded(tenant: Tenant, connection: Connection): Promise<void>;
  /** A call failed; a connection that keeps failing is paused, with an event. Answers whether it is paused now. */
  failed(tenant: Tenant, connection: Connection, fault: ModelFault): Promise<boolean>;
}

/** Judges that need a model fail, and say why. */
export const noConnections: Connections = {
  find: async () => undefined,
  succeeded: async () => undefined,
  failed: async () => false,
};
