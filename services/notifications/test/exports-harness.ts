// Scheduled exports: the service with its settings, storage in memory, a stand-in for the rows, and exporters.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BackgroundLoop } from "@ems/kit/background";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { secureRandom } from "@ems/kit/id";
import {
  ExportDataset,
  ExportSettingsService,
  type UpdateExportSettingsRequestSchema,
} from "@ems/proto/notifications/v1/export_settings_service";
import { capturedLog, testCall, testTenant } from "@ems/test-support";
import { afterAll } from "vitest";
import { createStorage } from "../src/exports/settings.ts";
import type { ExportedRange, ExportPage, ExportSource } from "../src/exports/worker/source.ts";
import { startExporter } from "../src/exports/worker/worker.ts";
import { notificationsSchema } from "../src/schema.ts";
import { secretBox } from "../src/secret-box.ts";
import { notificationsHarness } from "./harness.ts";
import { accessKey, startStorage } from "./storage.ts";

export const exportConfig = {
  EXPORT_ALLOW_CIDRS: ["127.0.0.1/32"],
  EXPORT_CA_FILE: undefined,
  EXPORT_CONCURRENCY: 2,
  EXPORT_DELAY_MS: 1_200_000,
  EXPORT_LEASE_MS: 20_000,
  DNS_SERVERS: [],
};

/** Rows of a stand-in for traces and tests: lines by the hour of their arrival. */
export class Rows implements ExportSource {
  /** Lines of a page. */
  pageLines = 10;
  /** Makes reading fail. */
  isDown = false;
  hasEnded = true;
  readonly #lines = new Map<string, string[]>();

  add({ applicationId }: { readonly applicationId: string }, time: Date, line: string): void {
    const key = `${applicationId} ${time.toISOString()}`;
    this.#lines.set(key, [...(this.#lines.get(key) ?? []), line]);
  }

  remove({ applicationId }: { readonly applicationId: string }): void {
    for (const key of this.#lines.keys()) if (key.startsWith(applicationId)) this.#lines.delete(key);
  }

  async isComplete(): Promise<boolean> {
    return this.hasEnded;
  }

  async read(range: ExportedRange, after = "0"): Promise<ExportPage> {
    if (this.isDown) throw new Error("the rows cannot be read");
    const { applicationId, periodStart, periodEnd } = range;
    const [from, to] = [periodStart, periodEnd].map((time) => `${applicationId} ${time.toISOString()}`);
    const lines = [...this.#lines]
      .filter(([key]) => key >= (from ?? "") && key < (to ?? ""))
      .flatMap(([, each]) => each);
    const end = Number(after) + this.pageLines;
    const page = lines.slice(Number(after), end);
    const payload = Buffer.from(page.map((line) => `${line}\n`).join(""));
    return { payload, next: end < lines.length ? String(end) : undefined };
  }
}

export async function exportsHarness() {
  const keys = `test:${secureRandom(32).toString("base64")}`;
  const env = { SEALING_KEYS: keys, EXPORT_ALLOW_CIDRS: "127.0.0.1/32" };
  const { log, text: logged } = capturedLog();
  const harness = await notificationsHarness(env, { log });
  const { clock, database, client } = harness;
  const [storage, rows] = [await startStorage(), new Rows()];
  const url = database.getRelayUrl(notificationsSchema);
  const { http } = createStorage(exportConfig);
  const exporters: BackgroundLoop[] = [];
  const relays: RelayDatabase[] = [];
  afterAll(async () => {
    for (const exporter of exporters) await exporter.stop();
    for (const relay of relays) await relay.close();
    await http.close();
    await storage.close();
  });
  const settings = client(ExportSettingsService);
  return {
    ...harness,
    settings,
    storage,
    rows,
    logged,
    /** Starts an exporter, as one process does. */
    start(overrides: Partial<typeof exportConfig> = {}, source: ExportSource = rows) {
      const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 2, log });
      const deps = { relayDatabase, secrets: secretBox(keys, secureRandom), storage: { http }, source, clock, log };
      const exporter = startExporter({ ...exportConfig, ...overrides }, deps);
      exporters.push(exporter);
      relays.push(relayDatabase);
      return {
        relayDatabase,
        stop: () => exporter.stop(),
        /** Exports all that is due. */
        run: async () => {
          exporter.wake();
          await exporter.idle();
        },
      };
    },
    /** Sets the export settings of an application, by default a new one. */
    async set(overrides: MessageInitShape<typeof UpdateExportSettingsRequestSchema> = {}, tenant = testTenant()) {
      const { endpoint } = storage;
      const request = { endpoint, bucket: "exports", prefix: tenant.applicationId, ...accessKey };
      await settings.updateExportSettings(
        { ...request, datasets: [ExportDataset.TRACES], ...overrides },
        testCall(tenant),
      );
      const state = async () => {
        const { data } = await settings.getExportSettings({}, testCall(tenant));
        return data?.exports[0];
      };
      return { tenant, prefix: tenant.applicationId, state };
    },
  };
}
