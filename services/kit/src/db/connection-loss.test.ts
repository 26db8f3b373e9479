import { testDatabase } from "@ems/test-support";
import { expect, inject, test } from "vitest";
import { createLog } from "../log.ts";
import { getPool, serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";

test("a connection lost between two statements fails the next statement, not the process", async () => {
  const database = await testDatabase(inject("postgres"));
  const schema = { name: "catalog", entities: [], migrations: [] };
  const source = serviceDataSource({
    url: database.getUrl(schema),
    poolMax: 1,
    schema,
    log: createLog("test", "silent"),
  });
  await source.initialize();
  new Database(source);
  const pool = getPool(source);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const lost = new Promise((resolve) => client.once("end", resolve));
  await database.sql("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await lost;
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release(true);
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await source.destroy();
  await database.drop();
});
