import pg from "pg";

const options = { application_name: "ems-prepare", connectionTimeoutMillis: 10_000 };

/** Runs `work` with a separate connection, for rare tasks such as preparing a server. `timeoutMs` limits a query. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>, timeoutMs = 0): Promise<T> {
  const client = new pg.Client({ ...options, connectionString: url, query_timeout: timeoutMs });
  // Without a listener, a connection lost between statements would end the process; a running statement reports the
  // loss itself.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
