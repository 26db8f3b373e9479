// The interface of model connections for jobs.

import type { Tenant } from "@ems/kit/tenant";
import type { ModelCaller, ModelFault, Usage } from "../judges/index.ts";
import type { ConnectionLimits } from "../limits/index.ts";

export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly limits: ConnectionLimits;
  /** In millionths of a US dollar, rounded up; undefined without prices. */
  readonly cost: ((usage: Usage) => number) | undefined;
  /** Reason of the pause; undefined while the connection works. */
  readonly pauseReason: string | undefined;
  readonly caller: ModelCaller;
}

export interface Connections {
  /** Finds the connection with the id, else the default one of the application, else that of its organization. */
  find(tenant: Tenant, id: string | undefined): Promise<Connection | undefined>;
  /** Records a successful call, which ends a series of failures. */
  succeeded(tenant: Tenant, connection: Connection): Promise<void>;
  /** Records a failed call. Pauses a connection that keeps failing, with an event. Returns whether it is paused now. */
  failed(tenant: Tenant, connection: Connection, fault: ModelFault): Promise<boolean>;
}
