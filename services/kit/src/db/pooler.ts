// PgBouncer and the like in transaction mode: each transaction may run on another backend, so a connection has neither prepared
// statements nor settings of its own.

import pg from "pg";

/** What stands between a service and PostgreSQL: nothing, or a pooler that gives each transaction a backend. */
export type Pooler = "none" | "transaction";

/** PostgreSQL's settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** A connection to a pooler in transaction mode. Other connections have their settings from their start. */
export class PoolerClient extends pg.Client {
  readonly settings: Settings;

  constructor(config: pg.ClientConfig & { readonly settings: Settings }) {
    super(config);
    this.settings = config.settings;
  }
}
