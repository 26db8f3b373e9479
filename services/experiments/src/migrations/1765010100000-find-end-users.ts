import type { MigrationInterface, QueryRunner } from "typeorm";

/** The end user of each trace. Fills it from the metadata of stored ones, in batches, which writers do not wait for. */
export class FindEndUsers1765010100000 implements MigrationInterface {
  readonly name = "FindEndUsers1765010100000";
  readonly transaction = false;

  /** Repeatable: without a transaction, a run that was cut off begins again. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.trace ADD COLUMN IF NOT EXISTS end_user text, ADD COLUMN IF NOT EXISTS end_user_key uuid;
      CREATE INDEX IF NOT EXISTS trace_end_user ON experiments.trace (application_id, end_user_key, created_at, id)
        WHERE end_user_key IS NOT NULL;
      GRANT UPDATE (end_user, end_user_key) ON experiments.trace TO ems_experiments;
    `);
    for (const applicationId of await applications(runner)) {
      await runner.query("SELECT set_config('ems.application_id', $1, false)", [applicationId]);
      let last: string | null = null;
      do {
        const rows: { last: string | null }[] = await runner.query(fill, [applicationId, last]);
        last = rows[0]?.last ?? null;
      } while (last !== null);
    }
    await runner.query("SELECT set_config('ems.application_id', '', false)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX experiments.trace_end_user;
      ALTER TABLE experiments.trace DROP COLUMN end_user, DROP COLUMN end_user_key;
    `);
  }
}

/** Row-level security binds the owner too, who must know for once whose traces there are. */
async function applications(runner: QueryRunner): Promise<string[]> {
  await runner.startTransaction();
  await runner.query("ALTER TABLE experiments.trace NO FORCE ROW LEVEL SECURITY");
  // An entry of the index for each application, however many traces it has.
  const rows: { id: string }[] = await runner.query(`
    WITH RECURSIVE application AS (
      (SELECT application_id AS id FROM experiments.trace ORDER BY application_id LIMIT 1)
      UNION ALL
      SELECT (SELECT t.application_id FROM experiments.trace t WHERE t.application_id > a.id ORDER BY t.application_id LIMIT 1)
      FROM application a WHERE a.id IS NOT NULL
    ) SELECT id FROM application WHERE id IS NOT NULL`);
  await runner.query("ALTER TABLE experiments.trace FORCE ROW LEVEL SECURITY");
  await runner.commitTransaction();
  return rows.map(({ id }) => id);
}

const named = (value: string) => `CASE json_typeof(${value}) WHEN 'string' THEN nullif(${value} #>> '{}', '')
  WHEN 'number' THEN ${value} #>> '{}' END`;

// The service computes the same (traces/end-user.ts).
const fill = `
  WITH batch AS (
    SELECT id, CASE json_typeof(metadata) WHEN 'object' THEN metadata END AS metadata FROM experiments.trace
    WHERE application_id = $1 AND ($2::uuid IS NULL OR id > $2::uuid) ORDER BY id LIMIT 1000
  ), named AS (
    SELECT id, coalesce(${["user.id", "enduser.id", "userId", "user_id"].map((key) => named(`(metadata -> '${key}')`)).join(", ")},
      ${named("(CASE json_typeof(metadata -> 'user') WHEN 'object' THEN metadata -> 'user' -> 'id' ELSE metadata -> 'user' END)")}) AS "user"
    FROM batch
  ), hashed AS (
    SELECT id, "user",
      encode(sha256(convert_to('["end-user","' || $1::uuid || '",' || to_json("user")::text || ']', 'UTF8')), 'hex') AS digits
    FROM named WHERE "user" IS NOT NULL
  ), filled AS (
    UPDATE experiments.trace t SET end_user = h."user",
      end_user_key = (substr(digits, 1, 12) || '8' || substr(digits, 14, 3)
        || substr('89ab', ('x' || substr(digits, 17, 1))::bit(4)::integer % 4 + 1, 1) || substr(digits, 18, 3) || substr(digits, 21, 12))::uuid
    FROM hashed h WHERE t.application_id = $1 AND t.id = h.id AND t.end_user_key IS NULL
  )
  SELECT max(id::text) AS last FROM batch`;
