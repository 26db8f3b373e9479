// Interface of the model connections that jobs use.

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
  /** Returns the cost in millionths of a US dollar, rounded up; undefined if there are no prices. */
  readonly cost: ((usage: Usage) => number) | undefined;
  /** Reason why the connection is paused; undefined while it works. */
  readonly pauseReason: string | undefined;
  readonly caller: ModelCaller;
}

export interface Connections {
  /** Finds the connection with the id, else the application's default connection, else that of its organization. */
  find(tenant: Tenant, id: string | undefined): Promise<Connection | undefined>;
  /** Records a successful call, which ends any series of failures. */
  succeeded(tenant: Tenant, connection: Connection): Promise<void>;
  /** Records a failed call. Pauses a connection that keeps failing, with an event. Returns true if it is paused now. */
  failed(tenant: Tenant, connection: Connection, fault: ModelFault): Promise<boolean>;
}
