import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { withClient } from "./client.ts";

const server = await testDatabase(inject("postgres"));
afterAll(() => server.drop());

test("the connection is closed after its work, also when the work fails", async () => {
  const open = () =>
    server.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ems-prepare'");
  await withClient(server.superuserUrl, async (client) => {
    await client.query("SELECT 1");
    expect(await open()).toHaveLength(1);
  });
  await expect(withClient(server.superuserUrl, (client) => client.query("SELECT 1 / 0"))).rejects.toThrow(
    "division by zero",
  );
  await expect.poll(open).toHaveLength(0);
});
