import { Code } from "@ems/kit/errors";
import {
  ExportDataset,
  ExportErrorCause,
  ExportFormat,
  ExportInterval,
  ExportTestStep,
} from "@ems/proto/notifications/v1/export_settings_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { afterEach, expect, test } from "vitest";
import { exportsHarness } from "../../test/exports-harness.ts";
import { accessKey } from "../../test/storage.ts";

const { settings, storage, database, set, logged } = await exportsHarness();
const { endpoint } = storage;
const request = { endpoint, bucket: "exports", ...accessKey, datasets: [ExportDataset.TRACES, ExportDataset.TESTS] };

afterEach(() => storage.refuseWith(() => undefined));

test("settings are returned with defaults and without the secret key, which is sealed in the database", async () => {
  const tenant = testTenant();
  expect(await settings.getExportSettings({}, testCall(tenant))).not.toHaveProperty("data");
  await settings.updateExportSettings(request, testCall(tenant));
  const { data } = await settings.getExportSettings({}, testCall(tenant));
  expect(data).toMatchObject({
    endpoint,
    region: "us-east-1",
    bucket: "exports",
    pathStyle: true,
    accessKeyId: accessKey.accessKeyId,
    datasets: request.datasets,
    format: ExportFormat.JSONL_GZIP,
    interval: ExportInterval.HOURLY,
    enabled: true,
  });
  expect(data?.exports).toHaveLength(2);
  expect(JSON.stringify(data, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
    accessKey.secretAccessKey,
  );
  expect(await placesOfText(database, "notifications", accessKey.secretAccessKey)).toEqual([]);
  expect((await settings.getExportSettings({}, testCall(testTenant()))).data).toBeUndefined();
});

test("the secret key is kept when omitted, and required at a new endpoint or with a new key id", async () => {
  const { secretAccessKey: _, ...withoutSecret } = request;
  const tenant = testTenant();
  const update = (change: object) => settings.updateExportSettings({ ...withoutSecret, ...change }, testCall(tenant));
  const refused = { code: Code.InvalidArgument };
  await expect(update({})).rejects.toMatchObject(refused);
  await settings.updateExportSettings(request, testCall(tenant));
  await update({ bucket: "exports", prefix: "other" });
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({ ok: true });
  await expect(update({ accessKeyId: "OTHER" })).rejects.toMatchObject(refused);
  await expect(update({ endpoint: "http://127.0.0.1:9001" })).rejects.toMatchObject(refused);
});

test.each([
  "http://10.0.0.1:9000",
  "https://169.254.169.254",
  "https://localhost",
  "ftp://127.0.0.1",
  "http://user@127.0.0.1:9000",
  "http://127.0.0.1:9000/path",
  "http://127.0.0.1:9000?query",
  "http://127.0.0.1:5432",
])("the endpoint %s is refused", async (refused) => {
  const update = settings.updateExportSettings({ ...request, endpoint: refused }, testCall(testTenant()));
  await expect(update).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a test writes, reads and deletes an object", async () => {
  const { tenant, prefix } = await set();
  const before = storage.objects.size;
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({ ok: true });
  expect(storage.uploads.at(-1)).toBe(`${prefix}/connection-test.txt`);
  expect(storage.objects.size).toBe(before);
});

const { ADDRESS_REFUSED: _, ...causes } = ExportErrorCause;
test.each([
  ["InvalidAccessKeyId", 403, causes.CREDENTIALS_REFUSED, "accept the access key"],
  ["SignatureDoesNotMatch", 403, causes.CREDENTIALS_REFUSED, "accept the access key"],
  ["RequestTimeTooSkewed", 403, causes.CLOCK_SKEW, "clock"],
  ["NoSuchBucket", 404, causes.BUCKET_MISSING, "bucket exports does not exist"],
  ["AccessDenied", 403, causes.PERMISSION_MISSING, "may not write objects in the bucket exports"],
  ["AuthorizationHeaderMalformed", 400, causes.WRONG_REGION, "another region"],
  ["PermanentRedirect", 301, causes.WRONG_REGION, "another region"],
  ["InternalError", 500, causes.STORAGE_ERROR, "500 InternalError"],
  [undefined, 403, causes.PERMISSION_MISSING, "may not write"],
  [undefined, 400, causes.BAD_ANSWER, "not an answer of S3"],
])("a test names the cause of %s (%d)", async (code, status, cause, words) => {
  const { tenant } = await set();
  storage.refuseWith(() => ({ status, ...(code !== undefined && { code }) }));
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({
    ok: false,
    failedStep: ExportTestStep.WRITE,
    cause,
    error: expect.stringContaining(words),
  });
});

test("a test names the step that failed, and the region that the storage states", async () => {
  const { tenant } = await set();
  storage.refuseWith(({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : undefined));
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({
    failedStep: ExportTestStep.DELETE,
    error: expect.stringContaining("may not delete objects"),
  });
  storage.refuseWith(() => ({
    status: 301,
    headers: { "x-amz-bucket-region": "eu-west-1", location: "https://elsewhere" },
  }));
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({
    error: expect.stringContaining("region eu-west-1"),
  });
});

test("a test of a wrong key and of an endpoint without a server names the cause", async () => {
  const wrong = await set({ secretAccessKey: "wrong" });
  expect(await settings.testExportSettings({}, testCall(wrong.tenant))).toMatchObject({
    cause: causes.CREDENTIALS_REFUSED,
  });
  const nowhere = await set({ endpoint: "http://127.0.0.1:65535" });
  expect(await settings.testExportSettings({}, testCall(nowhere.tenant))).toMatchObject({
    cause: causes.UNREACHABLE,
    error: "The endpoint cannot be reached (ECONNREFUSED). Check the endpoint, and that the storage is running",
  });
  await expect(settings.testExportSettings({}, testCall(testTenant()))).rejects.toMatchObject({ code: Code.NotFound });
  expect(logged()).not.toContain(accessKey.secretAccessKey);
});

test("deleting is idempotent, and deletes the state", async () => {
  const { tenant } = await set();
  await settings.deleteExportSettings({}, testCall(tenant));
  await settings.deleteExportSettings({}, testCall(tenant));
  expect((await settings.getExportSettings({}, testCall(tenant))).data).toBeUndefined();
  const [{ count } = { count: -1 }] = await database.sql<{ count: number }>(
    "SELECT count(*)::int AS count FROM notifications.export_job WHERE application_id = $1",
    [tenant.applicationId],
  );
  expect(count).toBe(0);
});
