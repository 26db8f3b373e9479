// Scheduled exports to real S3 servers: the product is killed between an upload and its record, and the server is away
// for a while. Afterwards each trace is in the objects, once.

import { gunzipSync } from "node:zlib";
import { runningUrl } from "@ems/deploy/running-database";
import { until } from "@ems/dev/until";
import { newId, secureRandom } from "@ems/kit/id";
import { AwsClient } from "aws4fetch";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../grpc/examples/toolchain.ts";
import { Api } from "../harness/api.ts";
import { type Product, startProduct } from "../harness/product.ts";
import { newTenant, type TestTenant } from "../harness/tenant.ts";
import { unlimited } from "../harness/unlimited.ts";
import { type AnswerProxy, startAnswerProxy } from "./answer-proxy.ts";
import { readerKey, type ServerName, type StorageServer, startStorageServer, storageKey } from "./storage-servers.ts";

const env = {
  ...unlimited,
  EXPORT_ALLOW_CIDRS: "127.0.0.0/8",
  EXPORT_DELAY_MS: "1000",
  EXPORT_LEASE_MS: "10000",
  LOG_LEVEL: "warn",
};
const waitMs = 120_000;
const bucket = "exports";
/** Traces of a round: about 18 MB that compress to two objects. */
const tracesOfRound = 300;
const textBytes = 45_000;

describe.skipIf(!isInstalled("go", "version")).each<ServerName>(["versitygw", "seaweedfs"])("exports to %s", (name) => {
  let storage: StorageServer;
  let proxy: AnswerProxy;
  let product: Product;
  let tenant: TestTenant;
  let settings: object;

  beforeAll(async () => {
    storage = await startStorageServer(name);
    proxy = await startAnswerProxy(storage.port);
    product = await startProduct("one", { env });
    tenant = await newTenant({}, product.facts);
    settings = { endpoint: `http://127.0.0.1:${proxy.port}`, bucket, ...storageKey, datasets: ["TRACES"] };
    await until(async () => (await s3(`/${bucket}`, { method: "PUT" })).ok, 30_000);
  }, 1_800_000);

  afterAll(async () => {
    await product?.remove();
    await proxy?.close();
    await storage?.remove();
  });

  const client = new AwsClient({ ...storageKey, service: "s3", region: "us-east-1" });
  const s3 = (path: string, init?: RequestInit) => client.fetch(`http://127.0.0.1:${storage.port}${path}`, init);
  const put = (change: object) => tenant.api.send("PUT", "/v0/export-settings", { json: { ...settings, ...change } });
  const check = async () => (await tenant.api.post("/v0/export-settings/test", {})).body;
  const state = async () => (await tenant.api.get("/v0/export-settings")).body.data.exports[0];

  async function sql(text: string): Promise<void> {
    const connection = new pg.Client({ connectionString: await runningUrl(product.facts.dataDir) });
    await connection.connect();
    await connection.query(text).finally(() => connection.end());
  }

  /** Sends traces, and returns their ids. */
  async function sendTraces(): Promise<string[]> {
    const ids = Array.from({ length: tracesOfRound }, () => newId());
    const steps = () => [{ type: "request", content: secureRandom(textBytes).toString("base64") }];
    const events = ids.map((traceId) => ({ type: "trace", traceId, steps: steps() }));
    for (let at = 0; at < events.length; at += 20) {
      const { body } = await tenant.api.post("/v0/ingest", { events: events.slice(at, at + 20) });
      expect(body.data.every(({ success }: { success: boolean }) => success)).toBe(true);
    }
    return ids;
  }

  /** Ends the current period now, instead of at the end of its hour. */
  const endPeriod = () =>
    sql(
      "UPDATE notifications.export_job SET period_end = now() + interval '1 s', next_attempt_at = now() + interval '2 s'",
    );

  /** Ids of the traces in the objects below the prefix, in the objects' order. */
  async function readTraces(prefix: string): Promise<{ objects: string[]; ids: string[] }> {
    const listed = await (await s3(`/${bucket}?list-type=2&prefix=${prefix}/`)).text();
    const objects = [...listed.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key).toSorted();
    const ids: string[] = [];
    for (const key of objects) {
      const bytes = Buffer.from(await (await s3(`/${bucket}/${key}`)).arrayBuffer());
      const lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n");
      ids.push(...lines.map((line) => JSON.parse(line).traceId));
    }
    return { objects, ids };
  }

  const exported = (rows: number) => until(async () => (await state()).lastExport?.rows === rows, waitMs);

  test("a test of the connection succeeds, and names wrong keys, buckets and rights", async () => {
    await put({});
    expect(await check()).toMatchObject({ ok: true, error: null });
    await put({ secretAccessKey: "wrong" });
    expect(await check()).toMatchObject({ ok: false, failedStep: "WRITE", cause: "CREDENTIALS_REFUSED" });
    await put({ accessKeyId: "unknown" });
    expect(await check()).toMatchObject({ cause: "CREDENTIALS_REFUSED" });
    await put({ bucket: "missing" });
    expect(await check()).toMatchObject({ cause: "BUCKET_MISSING" });
    if (name === "versitygw") {
      await put(readerKey);
      expect(await check()).toMatchObject({ cause: "PERMISSION_MISSING" });
    }
    expect((await tenant.api.delete("/v0/export-settings")).status).toBe(204);
  });

  test("traces arrive once although the product is killed after an upload", { timeout: 240_000 }, async () => {
    await put({ prefix: "killed" });
    const ids = await sendTraces();
    const answered = proxy.hold();
    await endPeriod();
    await answered;
    product.process.kill("SIGKILL");
    await product.ended;
    expect((await readTraces("killed")).objects).toHaveLength(1);
    proxy.release();
    product = await startProduct("one", { env, dataDir: product.facts.dataDir });
    tenant = { ...tenant, api: await Api.open(product.facts.baseUrl, tenant.applicationId, tenant.apiKey) };
    expect(await exported(ids.length)).toBe(true);
    const found = await readTraces("killed");
    expect(found.objects.length).toBeGreaterThan(1);
    expect((await state()).lastExport).toMatchObject({ objects: found.objects.length, rows: ids.length });
    expect(found.ids.toSorted()).toEqual(ids.toSorted());
  });

  test("traces arrive once although the server is away for a while", { timeout: 240_000 }, async () => {
    await tenant.api.delete("/v0/export-settings");
    await put({ prefix: "away" });
    await sql("UPDATE notifications.export_job SET period_start = now()");
    const ids = await sendTraces();
    await storage.stop();
    await endPeriod();
    expect(await until(async () => (await state()).error?.cause === "UNREACHABLE", waitMs)).toBe(true);
    await storage.start();
    expect(await until(async () => (await check()).ok, waitMs)).toBe(true);
    expect(await exported(ids.length)).toBe(true);
    expect((await readTraces("away")).ids.toSorted()).toEqual(ids.toSorted());
    expect((await state()).error).toBeNull();
  });
});
