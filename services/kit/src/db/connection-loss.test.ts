import { testDatabase } from "@ems/test-support";
import { expect, inject, test } from "vitest";
import { createLog } from "../log.ts";
import { relayPool } from "./relay-pool.ts";

test("a connection that is lost between two statements costs the next statement, not the process", async () => {
  const database = await testDatabase(inject("postgres"));
  const pool = relayPool({
    url: database.relayUrlOf({ name: "catalog" }),
    poolMax: 1,
    log: createLog("test", "silent"),
  });
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const lost = new Promise((resolve) => client.once("end", resolve));
  await database.sql("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await lost;
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release(true);
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await database.drop();
});
