// The minimum that can serve the two requests: Fastify and pg with the product's own SQL, without authentication, rules
// and RPC. The product's overhead is measured against it.

import { newId } from "@ems/kit/id";
import Fastify from "fastify";
import pg from "pg";

const same = process.argv[2] === "same";
const { applicationId, orgId } = JSON.parse(process.env.TENANT ?? "{}");
// Without the product's transaction, a session setting identifies the tenant.
const settings = same ? "" : ` -c ems.application_id=${applicationId}`;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  pipeline: true,
  options: `-c timezone=UTC${settings}`,
});

const scope = {
  name: "scope",
  text: `SELECT set_config('ems.application_id', $1, true), set_config('ems.org_id', $2, true),
    set_config('ems.api_key_digest', $3, true), set_config('statement_timeout', $4, true)`,
  values: [applicationId, orgId, "", "10000"],
};
const read = {
  name: "read",
  text: `SELECT
      t.application_id AS "applicationId", t.id, t.org_id AS "orgId", t.title, t.baseline, t.status,
      t.is_in_scope AS "isInScope", t.is_tasks_verified AS "isTasksVerified",
      t.is_documents_verified AS "isDocumentsVerified", t.is_knowledge_base_verified AS "isKnowledgeBaseVerified",
      t.is_policies_verified AS "isPoliciesVerified", t.assigned_to AS "assignedTo", t.quickstart_id AS "quickstartId",
      t.created_at AS "createdAt", t.modified_at AS "modifiedAt",
      (SELECT count(*)::int FROM catalog.task k
       WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status = 'ACTIVE') AS "taskCount",
      (SELECT count(*)::int FROM catalog.document o
       WHERE o.application_id = t.application_id AND o.topic_id = t.id) AS "documentCount",
      EXISTS (SELECT FROM catalog.eval_definition_topic e
       WHERE e.application_id = t.application_id AND e.topic_id = t.id) AS "hasDefinitions"
    FROM catalog.topic t WHERE t.application_id = $1 AND t.id = $2`,
};
const insertTopic = `INSERT INTO catalog.topic (application_id, id, org_id, title, baseline, status, is_in_scope, is_tasks_verified,
  is_documents_verified, is_knowledge_base_verified, is_policies_verified, assigned_to, quickstart_id, created_at, modified_at)
  VALUES ($1, $2, $3, $4, NULL, 'ACTIVE', true, false, false, false, false, NULL, NULL, $5, $5)`;
const insertEvent = `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, payload, occurred_at)
  VALUES ($1, $2, $3, 'topic.created', $4, $5, $6)`;

const app = Fastify();

app.get<{ Params: { id: string } }>("/v0/topics/:id", async ({ params }) => {
  const query = { ...read, values: [applicationId, params.id] };
  if (!same) return { data: (await pool.query(query)).rows[0] };
  const client = await pool.connect();
  const [, , result] = await Promise.all([
    client.query("BEGIN READ ONLY"),
    client.query(scope),
    client.query(query),
    client.query("COMMIT"),
  ]).finally(() => client.release());
  return { data: result.rows[0] };
});

app.post<{ Body: { title: string } }>("/v0/topics", async ({ body }, reply) => {
  const [id, eventId, now] = [newId(), newId(), new Date()];
  const topic = { id, applicationId, orgId, title: body.title, status: "ACTIVE", createdAt: now, modifiedAt: now };
  const client = await pool.connect();
  try {
    await client.query("START TRANSACTION");
    await client.query(scope);
    await client.query(insertTopic, [applicationId, id, orgId, body.title, now]);
    await client.query(insertEvent, [
      applicationId,
      eventId,
      orgId,
      "ems.v1.evt",
      JSON.stringify({ data: topic }),
      now,
    ]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  return reply.code(201).send({ data: topic });
});

await app.listen({ host: "127.0.0.1", port: 0 });
const address = app.server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
process.on("SIGTERM", () => process.exit(0));
