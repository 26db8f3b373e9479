// Reports that cannot end before their deadline: what becomes of them, and of everybody else's.

import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newWriterWithoutWebhook, type Writer } from "../harness/writer.ts";

let mesh: FaultMesh;
beforeAll(async () => {
  mesh = await startFaultMesh();
}, 60_000);
afterAll(() => mesh.close(), 60_000);

const report = ({ send }: Writer, datasource: string) =>
  send("POST", "/v0/reporting/query", { datasource, timezone: "UTC" });

/** Statements over tags that PostgreSQL is at for the reporting service. */
async function atWork(): Promise<number> {
  const rows = await mesh.sql(
    "SELECT pid FROM pg_stat_activity WHERE usename = 'ems_reporting' AND state = 'active' AND query LIKE '%tag_v1%'",
  );
  return rows.length;
}

test("past their deadline they are cancelled in PostgreSQL and answered 504; other applications' go on meanwhile", async () => {
  const [writer, other] = [await newWriterWithoutWebhook(mesh), await newWriterWithoutWebhook(mesh)];
  const locker = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
  await locker.connect();
  try {
    // What reads tags waits from now on; nothing else does.
    await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
    let answered = 0;
    const asked = Array.from({ length: 12 }, async () => {
      const answer = await report(writer, "tag");
      answered += 1;
      return { status: answer.status, body: await answer.json() };
    });
    // A third of the ten connections are one application's at most; its other reports wait their turn.
    await expect.poll(atWork, { timeout: 15_000 }).toBe(3);

    for (let times = 0; times < 10; times += 1) {
      for (const one of [await report(other, "topic"), await report(other, "eval")]) {
        expect(await one.json()).toMatchObject({ pagination: { total: 0 } });
      }
    }
    expect([answered, await atWork()]).toEqual([0, 3]);

    for (const one of await Promise.all(asked)) {
      expect(one).toEqual({ status: 504, body: { message: "Deadline exceeded" } });
    }
    // The lock is held all the time: nothing but a cancellation ends them.
    await expect.poll(atWork, { timeout: 15_000 }).toBe(0);
    expect((await report(writer, "topic")).status).toBe(200);
  } finally {
    await locker.end();
  }
  expect((await report(writer, "tag")).status).toBe(200);
  expect(mesh.crashes).toEqual([]);
});
