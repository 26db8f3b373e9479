import { timestampDate } from "@bufbuild/protobuf/wkt";
import { secureRandom } from "@ems/kit/id";
import { exportPartBytesMax } from "@ems/proto/limits";
import { ExportDataset, ExportErrorCause, ExportInterval } from "@ems/proto/notifications/v1/export_settings_service";
import { testCall } from "@ems/test-support";
import { beforeEach, expect, test, vi } from "vitest";
import { exportsHarness } from "../../../test/exports-harness.ts";
import { accessKey } from "../../../test/storage.ts";
import { attemptsMax } from "./retry.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const harness = await exportsHarness();
const { set, start, rows, storage, clock, database, settings, logged } = harness;
const { run } = start();

beforeEach(() => {
  storage.refuseWith(() => undefined);
  rows.pageLines = 10;
  rows.isDown = false;
  rows.hasEnded = true;
});

/** Advances to the time at which the current hour is exported, and no other. */
function advanceToExport(): void {
  const nowMs = clock.now().getTime();
  clock.advance(Math.floor(nowMs / hourMs + 1) * hourMs + 20 * minuteMs - nowMs);
}

/** Lines of about `bytes` bytes that do not compress. */
const noise = (bytes: number) => secureRandom(bytes).toString("base64");

test("a period is exported after its end and the delay, once, and an hour without rows has no object", async () => {
  const { tenant, prefix, state } = await set();
  const hour = new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs);
  for (const line of ["a", "b", "c"]) rows.add(tenant, clock.now(), line);
  rows.pageLines = 2;
  await run();
  clock.advance(hour.getTime() + hourMs + 19 * minuteMs - clock.now().getTime());
  await run();
  expect(storage.lines(prefix)).toEqual([]);
  clock.advance(2 * minuteMs);
  await run();
  const name = hour.toISOString().replace(/^(.{10})T(..).*/, "dt=$1/hour=$2");
  expect([...storage.objects.keys()].filter((key) => key.startsWith(prefix))).toEqual([
    `${prefix}/traces/${name}/part-0001.jsonl.gz`,
  ]);
  expect(storage.lines(prefix)).toEqual(["a", "b", "c"]);
  const exported = await state();
  expect(exported?.lastExport).toMatchObject({ objects: 1, rows: 3n });
  expect(exported?.lastExport?.bytes).toBeGreaterThan(0n);
  expect(exported?.exportedUntil && timestampDate(exported.exportedUntil)).toEqual(new Date(hour.getTime() + hourMs));
  clock.advance(hourMs);
  await run();
  expect((await state())?.lastExport).toMatchObject({ objects: 0, rows: 0n });
  expect(storage.uploads.filter((key) => key.startsWith(prefix))).toHaveLength(1);
});

test("hours that were missed are exported one by one, and days as one period", async () => {
  const hourly = await set();
  const daily = await set({ interval: ExportInterval.DAILY });
  for (let hour = 0; hour < 30; hour++) {
    for (const { tenant } of [hourly, daily])
      rows.add(tenant, new Date(clock.now().getTime() + hour * hourMs), `${hour}`);
  }
  clock.advance(31 * hourMs);
  await run();
  const lines = Array.from({ length: 30 }, (_, hour) => `${hour}`);
  expect(storage.lines(hourly.prefix)).toEqual(lines);
  const names = storage.uploads.filter((key) => key.startsWith(daily.prefix));
  expect(names).toHaveLength(1);
  clock.advance(24 * hourMs);
  await run();
  expect(storage.lines(daily.prefix)).toEqual(lines);
});

test("a large period has several objects, and other applications take turns with it", async () => {
  const large = await set();
  const small = await set();
  const line = noise(exportPartBytesMax / 4);
  for (let at = 0; at < 10; at++) rows.add(large.tenant, clock.now(), `${at}${line}`);
  rows.add(small.tenant, clock.now(), "small");
  rows.pageLines = 1;
  advanceToExport();
  const before = storage.uploads.length;
  await run();
  expect(storage.lines(large.prefix).map((each) => each[0])).toEqual([..."0123456789"]);
  const { lastExport } = (await large.state()) ?? {};
  expect(lastExport?.objects).toBeGreaterThan(1);
  const order = storage.uploads.slice(before).map((key) => key.startsWith(small.prefix));
  expect(order.indexOf(true)).toBeLessThan(2);
});

test("a process that dies after an upload doubles no row: the object is uploaded again under its name", async () => {
  const { tenant, prefix, state } = await set();
  for (let at = 0; at < 25; at++) rows.add(tenant, clock.now(), `row ${at}`);
  advanceToExport();
  const dying = start();
  // The upload arrives; what it made is never recorded.
  const change = vi.spyOn(dying.relayDatabase, "change").mockRejectedValue(new Error("killed"));
  await dying.run();
  expect(change).toHaveBeenCalled();
  await dying.stop();
  expect(storage.uploads.filter((key) => key.startsWith(prefix))).toHaveLength(1);
  expect((await state())?.lastExport).toBeUndefined();
  await run();
  expect((await state())?.lastExport).toBeUndefined();
  await database.sql("UPDATE notifications.export_job SET leased_until = now() - interval '1 s'");
  await run();
  expect(storage.uploads.filter((key) => key.startsWith(prefix))).toHaveLength(2);
  expect(storage.lines(prefix)).toEqual(Array.from({ length: 25 }, (_, at) => `row ${at}`));
  expect((await state())?.lastExport).toMatchObject({ objects: 1, rows: 25n });
});

test("rows that were deleted after an upload that was not recorded are replaced by an empty object", async () => {
  const { tenant, prefix, state } = await set();
  rows.add(tenant, clock.now(), "deleted");
  advanceToExport();
  const dying = start();
  vi.spyOn(dying.relayDatabase, "change").mockRejectedValue(new Error("killed"));
  await dying.run();
  await dying.stop();
  rows.remove(tenant);
  await database.sql("UPDATE notifications.export_job SET leased_until = now() - interval '1 s'");
  await run();
  expect(storage.uploads.filter((key) => key.startsWith(prefix))).toHaveLength(2);
  expect(storage.lines(prefix)).toEqual([]);
  expect((await state())?.lastExport).toMatchObject({ objects: 1, rows: 0n });
});

test("storage that is away for a while loses nothing, and the state has the cause until it is back", async () => {
  const { tenant, prefix, state } = await set();
  for (let hour = 0; hour < 4; hour++) rows.add(tenant, new Date(clock.now().getTime() + hour * hourMs), `${hour}`);
  storage.refuseWith(() => ({ status: 503, code: "SlowDown" }));
  for (let at = 0; at < 6; at++) {
    clock.advance(hourMs);
    await run();
  }
  expect((await state())?.error).toMatchObject({
    cause: ExportErrorCause.STORAGE_ERROR,
    message: "The storage answered 503 SlowDown. Check its log",
    attempts: 6,
  });
  expect(logged()).toContain("an export failed and will be retried");
  storage.refuseWith(() => undefined);
  clock.advance(hourMs);
  await run();
  expect(storage.lines(prefix)).toEqual(["0", "1", "2", "3"]);
  expect((await state())?.error).toBeUndefined();
});

test("an export stops after its last attempt, and a test that succeeds continues it", async () => {
  const { tenant, prefix, state } = await set();
  rows.add(tenant, clock.now(), "late");
  clock.advance(2 * hourMs);
  await database.sql("UPDATE notifications.export_job SET attempts = $2 WHERE application_id = $1", [
    tenant.applicationId,
    attemptsMax - 1,
  ]);
  rows.isDown = true;
  await run();
  expect(await state()).toMatchObject({ error: { cause: ExportErrorCause.INTERNAL, attempts: attemptsMax } });
  expect((await state())?.nextRunAt).toBeUndefined();
  rows.isDown = false;
  clock.advance(100 * hourMs);
  await run();
  expect(storage.lines(prefix)).toEqual([]);
  expect(await settings.testExportSettings({}, testCall(tenant))).toMatchObject({ ok: true });
  await run();
  expect(storage.lines(prefix)).toEqual(["late"]);
});

test("a period with rows in progress waits for them, up to a day", async () => {
  const { tenant, prefix, state } = await set();
  rows.add(tenant, clock.now(), "row");
  rows.hasEnded = false;
  clock.advance(2 * hourMs);
  await run();
  clock.advance(hourMs);
  await run();
  expect(storage.lines(prefix)).toEqual([]);
  expect((await state())?.error).toBeUndefined();
  clock.advance(24 * hourMs);
  await run();
  expect(storage.lines(prefix)).toEqual(["row"]);
});

test("disabled exports wait, a new destination begins the period again, and a deleted dataset is forgotten", async () => {
  const { tenant, prefix, state } = await set({ enabled: false });
  rows.add(tenant, clock.now(), "row");
  clock.advance(2 * hourMs);
  await run();
  expect((await state())?.nextRunAt).toBeUndefined();
  expect(storage.lines(prefix)).toEqual([]);
  await set({ prefix: `${prefix}/moved` }, tenant);
  await run();
  expect(storage.lines(`${prefix}/moved`)).toEqual(["row"]);
  await set({ datasets: [ExportDataset.TESTS] }, tenant);
  const { data } = await settings.getExportSettings({}, testCall(tenant));
  expect(data?.exports.map(({ dataset }) => dataset)).toEqual([ExportDataset.TESTS]);
  await settings.deleteExportSettings({}, testCall(tenant));
  clock.advance(2 * hourMs);
  await run();
  expect(storage.uploads.filter((key) => key.startsWith(`${prefix}/tests`))).toEqual([]);
});

test("settings that are set during an upload end its lease, and nothing of it is recorded", async () => {
  const { tenant, prefix, state } = await set();
  rows.add(tenant, clock.now(), "row");
  clock.advance(2 * hourMs);
  storage.refuseWith(async () => {
    storage.refuseWith(() => undefined);
    await set({ prefix: `${prefix}/moved` }, tenant);
    return { status: 503, code: "SlowDown" };
  });
  await run();
  expect((await state())?.error).toBeUndefined();
  // The lease ends by PostgreSQL's clock, which this test does not advance.
  await database.sql("UPDATE notifications.export_job SET next_attempt_at = $1", [clock.now()]);
  await run();
  expect(storage.lines(`${prefix}/moved`)).toEqual(["row"]);
});

test("the secret key is in no log", () => {
  expect(logged()).not.toContain(accessKey.secretAccessKey);
});
