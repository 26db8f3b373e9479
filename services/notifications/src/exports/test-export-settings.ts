import { concurrencyLimited, notFound } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { buildMessage } from "@ems/kit/message";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type ExportSettingsService,
  TestExportSettingsResponseSchema,
} from "@ems/proto/notifications/v1/export_settings_service";
import type { Deps } from "../deps.ts";
import { BucketFault, openBucket } from "./bucket/index.ts";
import { ExportSettingEntity, type ExportSettingRow } from "./entity.ts";
import { restartJobs } from "./jobs.ts";
import { openSecret } from "./secrets.ts";

type Handler = Handlers<typeof ExportSettingsService>["testExportSettings"];

/** Maximum number of concurrent tests per application. */
const testsMax = 2;
/** Part of the caller's deadline that is reserved for the answer. */
const answerMs = 1_000;

const objectName = "connection-test.txt";
const content = Buffer.from("Written by a test of the export settings.\n");
const contentType = "text/plain";

interface Failure {
  readonly failedStep: "WRITE" | "READ" | "DELETE";
  readonly fault: BucketFault;
}

/** Writes, reads and deletes an object; returns the first step that failed. */
export function testExportSettings(deps: Deps): Handler {
  const { database, clock, secrets, storage } = deps;
  const limiter = new TenantConcurrencyLimiter({
    maxPerKey: testsMax,
    reject: () => concurrencyLimited("Too many concurrent tests of the export: try again when one has ended"),
  });
  const findFailure = async (row: ExportSettingRow, call: Call): Promise<Failure | undefined> => {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(Math.max(1, remainingMs(call) - answerMs))]);
    const bucket = openBucket(row, openSecret(secrets, row), { http: storage.http, clock });
    const steps: readonly (readonly [Failure["failedStep"], () => Promise<void>])[] = [
      ["WRITE", () => bucket.put(objectName, content, contentType, signal)],
      ["READ", async () => compare(await bucket.get(objectName, signal))],
      ["DELETE", () => bucket.delete(objectName, signal)],
    ];
    for (const [failedStep, run] of steps) {
      try {
        await run();
      } catch (error) {
        if (error instanceof BucketFault) return { failedStep, fault: error };
        throw error;
      }
    }
    return undefined;
  };
  return (_, call) => {
    const { applicationId } = call.tenant;
    // Sends the requests before the transaction, so that no database connection waits for the storage.
    const run = async () => {
      const row = await database.withTenant(call, (tx) => tx.findOne(ExportSettingEntity, { applicationId }));
      if (row === null) throw notFound("Export settings");
      const startedMs = performance.now();
      const failure = await limiter.run(applicationId, undefined, () => findFailure(row, call));
      return { failure, latencyMs: Math.round(performance.now() - startedMs) };
    };
    return database.changeAfter(call, run, async (tx, { failure, latencyMs }) => {
      if (failure === undefined) restartJobs(tx, applicationId, deps.exportDelayMs, clock.now());
      return buildMessage(TestExportSettingsResponseSchema, {
        ok: failure === undefined,
        latencyMs,
        failedStep: failure?.failedStep ?? null,
        cause: failure?.fault.reason ?? null,
        error: failure?.fault.message ?? null,
      });
    });
  };
}

function compare(stored: Buffer): void {
  if (stored.equals(content)) return;
  throw new BucketFault("BAD_ANSWER", "The storage returned another object than was written. Check the endpoint");
}
