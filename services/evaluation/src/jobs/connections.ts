// What jobs need of model connections.

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
  /** Why it is paused; undefined while it works. */
  readonly pauseReason: string | undefined;
  readonly caller: ModelCaller;
}

export interface Connections {
  /** The connection of that id, else the default one of the application, else that of its organisation. */
  find(tenant: Tenant, id: string | undefined): Promise<Connection | undefined>;
  /** A call succeeded: failures before it are no series any more. */
  succeeded(tenant: Tenant, connection: Connection): Promise<void>;
  /** A call failed; a connection that keeps failing is paused, with an event. Answers whether it is paused now. */
  failed(tenant: Tenant, connection: Connection, fault: ModelFault): Promise<boolean>;
}
