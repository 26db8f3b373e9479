// A current PgBouncer survives many cancellations, which the product sends at every deadline. Version 1.18 of Debian 12
// crashed after 331 of them within 3 s ("bad client state"); 1.20.1 and 1.21.0 survived 9,000.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { poolerFinding } from "@ems/cli/doctor/pooler";
import { freePort } from "@ems/dev/free-port";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { baseImages, makeBaseImages } from "./bases.ts";
import { type Engine, openPodman } from "./podman.ts";

const image = "localhost/ems-test/pgbouncer";
const container = "ems-test-pgbouncer";
const cancellations = 3_000;
const clients = 40;
/** The request code of CancelRequest in PostgreSQL's protocol. */
const cancelRequest = 80_877_102;

let engine: Engine;
let directory: string;
let postgres: EmbeddedPostgres;
let port: number;

beforeAll(async () => {
  engine = await openPodman();
  await makeBaseImages(engine);
  directory = await temporaryDir("ems-test-pgbouncer-");
  postgres = await startEmbeddedPostgres({ dataDir: join(directory, "postgres"), volatile: true });
  port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(postgres.url);
  const server = `host=${hostname} port=${serverPort} user=${username} password=${password} dbname=postgres`;
  const settings = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 30\nmax_client_conn = 500`;
  const build = join(directory, "build");
  await mkdir(build);
  await writeFile(join(build, "pgbouncer.ini"), `[databases]\nall = ${server}\n[pgbouncer]\n${settings}\n`);
  await writeFile(
    join(build, "Dockerfile"),
    `FROM ${baseImages.BUILD_BASE}
RUN apt-get -qq update && apt-get -qq install --yes --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
COPY --chmod=644 pgbouncer.ini /etc/pgbouncer.ini
USER nobody
ENTRYPOINT ["/usr/sbin/pgbouncer", "/etc/pgbouncer.ini"]
`,
  );
  await engine.podman("build", "--quiet", "--network", "host", "--tag", image, build);
  await engine.attempt("rm", "--force", container);
  await engine.podman("run", "--detach", "--name", container, "--network", "host", image);
}, 900_000);

afterAll(async () => {
  await engine.attempt("rm", "--force", container);
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const getUrl = (database: string) => `postgres://client@127.0.0.1:${port}/${database}`;

/** Fields of `pg`'s client that its types omit. */
interface Backend {
  readonly processID: number;
  readonly secretKey: number;
}

/** Sends a cancellation; half of them disconnect before it can be forwarded. */
function cancel(client: pg.Client, isGone: boolean): void {
  const { processID, secretKey } = client as unknown as Backend;
  const request = Buffer.alloc(16);
  for (const [index, value] of [16, cancelRequest, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4);
  const socket = connect(port, "127.0.0.1", () => socket.write(request, () => isGone && socket.destroy()));
  socket.on("error", () => undefined).setTimeout(3_000, () => socket.destroy());
}

test("it outlives cancellations of clients that come and go, and answers afterwards", {
  timeout: 600_000,
}, async () => {
  const admin = new pg.Client(getUrl("pgbouncer"));
  await expect.poll(answers).toBe(true);
  await admin.connect();
  const { rows } = await admin.query("SHOW VERSION");
  expect(poolerFinding(rows[0].version).status).not.toBe("failure");
  await admin.end();

  let sent = 0;
  let canceled = 0;
  const isRunning = async () =>
    (await engine.podman("inspect", "--format", "{{.State.Running}}", container)) === "true";
  const work = async (worker: number) => {
    for (let round = 0; sent < cancellations; round += 1) {
      const client = new pg.Client({ connectionString: getUrl("all"), connectionTimeoutMillis: 5_000 });
      client.on("error", () => undefined);
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      );
      if (!isConnected && !(await isRunning())) return;
      for (let statement = 0; isConnected && statement < 10; statement += 1) {
        const sleeping = client.query("SELECT pg_sleep($1)", [(worker + statement) % 2 === 0 ? 0.005 : 0.5]).then(
          () => undefined,
          (error: { code?: string }) => {
            if (error.code === "57014") canceled += 1;
          },
        );
        for (let count = 0; count <= (round + statement) % 3; count += 1) {
          await delay((worker * 7 + statement * 3 + count) % 15);
          cancel(client, (statement + count) % 2 === 0);
          sent += 1;
        }
        await sleeping;
      }
      await client.end().catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, worker) => work(worker)));
  expect(await isRunning(), (await engine.attempt("logs", "--tail", "5", container)).stderr).toBe(true);
  expect(sent).toBeGreaterThanOrEqual(cancellations);
  expect(canceled).toBeGreaterThan(0);

  expect(await answers()).toBe(true);
});

/** True if a new client gets an answer. */
async function answers(): Promise<boolean> {
  const client = new pg.Client({ connectionString: getUrl("all"), connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query("SELECT 1 AS one")).rows[0].one === 1;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
