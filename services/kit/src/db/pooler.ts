// Poolers in transaction mode, such as PgBouncer: each transaction may run on another backend, so a connection has
// neither prepared statements nor settings.

import pg from "pg";

/** Pooler between a service and PostgreSQL: none, or one that assigns a backend to each transaction. */
export type Pooler = "none" | "transaction";

/** PostgreSQL's settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** A connection to a pooler in transaction mode. Each transaction on it sends the settings again. */
export class PoolerClient extends pg.Client {
  readonly settings: Settings;

  constructor(config: pg.ClientConfig & { readonly settings: Settings }) {
    super(config);
    this.settings = config.settings;
  }
}
