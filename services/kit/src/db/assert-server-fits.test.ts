import { testDatabase } from "@ems/test-support";
import { expect, inject, test } from "vitest";
import { systemClock } from "../clock.ts";
import { assertServerFits, clockOffsetMaxMs } from "./assert-server-fits.ts";
import { withClient } from "./client.ts";

const server = await testDatabase(inject("postgres"));
const url = server.superuserUrl;
const { host } = new URL(url);
const aheadBy = (ms: number) => ({ now: () => new Date(systemClock.now().getTime() + ms) });

test("a server with enough connections and the same time is accepted", async () => {
  for (const ms of [0, clockOffsetMaxMs - 10_000, 10_000 - clockOffsetMaxMs])
    await expect(assertServerFits(url, { connections: 1, clock: aheadBy(ms) })).resolves.toBeUndefined();
});

test("a clock that is off is reported with direction and seconds", async () => {
  const fits = (ms: number) => assertServerFits(url, { connections: 1, clock: aheadBy(ms) });
  const sentence = (seconds: number, direction: string) =>
    `this machine's clock is ${seconds} s ${direction} that of PostgreSQL at ${host}: set both by NTP, they may differ by 30 s`;
  await expect(fits(3_600_000)).rejects.toThrow(sentence(3_600, "ahead of"));
  await expect(fits(-3_600_000)).rejects.toThrow(sentence(3_600, "behind"));
});

test("needing more connections than server or database allow is refused", async () => {
  const fits = (connections: number) => assertServerFits(url, { connections, clock: systemClock });
  const [{ free } = { free: 0 }] = await withClient(url, async (client) => {
    const settings =
      "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int";
    return (await client.query<{ free: number }>(`${settings} AS free`)).rows;
  });
  await expect(fits(free)).resolves.toBeUndefined();
  await expect(fits(free + 1)).rejects.toThrow(
    `PostgreSQL at ${host} has too few connections: ${free} for programs, and ${free + 1} may be opened. Raise max_connections, ` +
      "or lower DATABASE_POOL_MAX and RELAY_POOL_MAX",
  );
  await withClient(url, (client) =>
    client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} CONNECTION LIMIT 7`),
  );
  await expect(fits(8)).rejects.toThrow(/has too few connections: 7 for programs, and 8 may/);
});
