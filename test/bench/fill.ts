// Rows of an application after a year of use, inserted by SQL, since a hundred thousand requests would take longer than
// the measurement. Documents are created by the API, since a document and its versions refer to each other.

import pg from "pg";
import type { Side } from "./sides.ts";

export interface Filled {
  readonly topicIds: readonly string[];
  readonly tagCount: number;
  readonly taskCount: number;
  readonly documentIds: readonly string[];
}

/** Occurs in the texts of ten tasks only. */
export const rareWord = "chrysanthemum";

const topicCount = 500;
const tagCount = 10_000;
const taskCount = 100_000;
const documentCount = 100;

// `uuidv7`, like the product's own ids, so that indexes grow at their end. Rows are seconds apart, newest first.
const topics = `
  INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
  SELECT $1, uuidv7(), $2, 'Topic ' || n, 'ACTIVE', at, at
  FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - n * interval '1 s' AS at) time
  RETURNING id`;

const tags = `
  INSERT INTO catalog.tag (application_id, id, org_id, name, color, description, status, created_at, modified_at)
  SELECT $1, uuidv7(), $2, 'Tag ' || n, '#3B82F6', 'What is tagged ' || n, 'ACTIVE', at, at
  FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - n * interval '1 s' AS at) time
  RETURNING id`;

// Descriptions have about three hundred characters. One task of ten is archived, and lists must skip it.
const tasks = `
  INSERT INTO catalog.task (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
  SELECT $1, uuidv7(), $2, ($4::uuid[])[1 + n % cardinality($4::uuid[])], 'Task ' || n,
    CASE WHEN n % ($3::int / 10) = 1 THEN $5::text || ' ' ELSE '' END
      || repeat('A customer asks for the fee of transfer ' || n || ' and for its day. ', 5),
    'NORMAL', CASE WHEN n % 10 = 0 THEN 'ARCHIVED' ELSE 'ACTIVE' END, at, at
  FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - n * interval '1 s' AS at) time
  RETURNING id`;

/** Fills the side's application as a superuser, which bypasses row-level security. */
export async function fill(side: Side): Promise<Filled> {
  const { applicationId, orgId } = side.tenant;
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  try {
    const insert = async (text: string, count: number, ...more: unknown[]) => {
      const { rows } = await client.query<{ id: string }>(text, [applicationId, orgId, count, ...more]);
      return rows.map(({ id }) => id);
    };
    const topicIds = await insert(topics, topicCount);
    await insert(tags, tagCount);
    await insert(tasks, taskCount, topicIds, rareWord);
    const documentIds = await newDocuments(side);
    // Otherwise autovacuum would run during the measurement.
    await client.query("VACUUM (ANALYZE)");
    return { topicIds, tagCount, taskCount, documentIds };
  } finally {
    await client.end();
  }
}

async function newDocuments({ baseUrl, headers }: Side): Promise<string[]> {
  const body = JSON.stringify({ title: "Fees", content: "A transfer within the country is free. ".repeat(100) });
  const ids: string[] = [];
  for (let count = 0; count < documentCount; count++) {
    const answer = await fetch(`${baseUrl}/v0/documents`, { method: "POST", headers, body });
    if (answer.status !== 201) throw new Error(`POST /v0/documents: ${answer.status} ${await answer.text()}`);
    ids.push(((await answer.json()) as { document: { id: string } }).document.id);
  }
  return ids;
}
