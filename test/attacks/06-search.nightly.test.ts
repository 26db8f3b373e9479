// Searches: the cost of one is bounded, and a tenant that searches without pause leaves connections for others.

import { runningUrl } from "@ems/deploy/running-database";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const noisy = await product.tenant();
const quiet = await product.tenant();

/** One more than the connection pool of a service. */
const atOnce = 11;
const quietCalls = 40;

beforeAll(async () => {
  const client = new pg.Client({ connectionString: await runningUrl(product.facts.dataDir) });
  await client.connect();
  await client.query(
    `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
     SELECT $1, uuidv7(), $2, 'Task ' || n, repeat('A customer asks for the fee of transfer ' || n || ' and for its day. ', 5),
       'NORMAL', 'ACTIVE', now(), now()
     FROM generate_series(1, 20000) n`,
    [noisy.applicationId, noisy.orgId],
  );
  await client.end();
});

/** The noisy tenant requests all `paths` concurrently, `rounds` times, while the quiet one makes its calls. */
async function besides(paths: readonly string[], rounds: number): Promise<{ noise: Answer[]; heard: Answer[] }> {
  const noise: Answer[] = [];
  const keepAsking = async (path: string) => {
    for (let round = 0; round < rounds; round++) noise.push(await noisy.api.get(path));
  };
  const searches = Promise.all(paths.map(keepAsking));
  const heard: Answer[] = [];
  for (let call = 0; call < quietCalls; call++) heard.push(await quiet.api.get("/v0/tasks?search=card"));
  await searches;
  return { noise, heard };
}

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

test("texts of 7,000 characters are refused before they cost anything, and others do not feel them", async () => {
  const { noise, heard } = await besides(Array(atOnce).fill(`/v0/tasks?search=${"a%20customer".repeat(640)}`), 1);
  expect(statuses(heard)).toEqual([200]);
  expect(statuses(noise)).toEqual([400]);
  expect(noise[0]?.body.issues).toMatchObject([{ path: ["search"], code: "too_big" }]);
});

test.each(["topics?title", "tags?search", "documents?search", "users?search", "experiments?search"])(
  "so are they for %s",
  async (list) => {
    const { status, body } = await noisy.api.get(`/v0/${list}=${"a".repeat(201)}`);
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ path: [list.split("?")[1]], code: "too_big" }]);
    expect((await noisy.api.get(`/v0/${list}=${"%F0%9F%8C%B8".repeat(200)}`)).status).toBe(200);
  },
);

test("the dearest searches that are allowed cost others a little latency at most", async () => {
  const searches = [
    "the",
    "e",
    " f",
    "%25",
    "A customer asks for the fee of transfer 9 and ",
    "day. A".padEnd(200, "x"),
  ];
  const paths = searches.map((text) => `/v0/tasks?search=${encodeURIComponent(text)}&orderBy=title&limit=100`);
  const { noise, heard } = await besides([...paths, ...paths].slice(0, atOnce), 5);
  expect(statuses(heard)).toEqual([200]);
  expect(statuses(noise)).toContain(200);
  for (const { status } of noise) expect([200, 429]).toContain(status);
});
