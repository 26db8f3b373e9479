import { ownerRole, relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "experiments" });
const partitioned = ["test", "evaluation", "trace_step"];

/** Words of traces, in partitions beside their steps, and the queue of what is not indexed yet. */
export class SearchTraces1763806400000 implements MigrationInterface {
  readonly name = "SearchTraces1763806400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Keys of words instead of words: they take less, and each stands for one application's word.
      CREATE TABLE experiments.trace_words (
        application_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        part integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        words bigint[] NOT NULL,
        CONSTRAINT trace_words_pkey PRIMARY KEY (application_id, trace_id, part, created_at)
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX trace_words_words ON experiments.trace_words USING gin (words);
      -- Keys cannot be compressed, and no plan depends on which there are.
      ALTER TABLE experiments.trace_words ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN words SET STATISTICS 0;
      ${tenantPolicy("experiments.trace_words")}
      CREATE POLICY search ON experiments.trace_words FOR SELECT TO ${ownerRole} USING (true);
      GRANT SELECT, INSERT, UPDATE ON experiments.trace_words TO ems_experiments;

      CREATE TABLE experiments.search_job (
        application_id uuid NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        org_id text NOT NULL,
        trace_ids uuid[] NOT NULL,
        positions integer[] NOT NULL,
        bytes bigint NOT NULL,
        queued_at timestamptz(3) NOT NULL DEFAULT now(),
        leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
        CONSTRAINT search_job_pkey PRIMARY KEY (application_id, id)
      ) WITH (fillfactor = 70);
      CREATE INDEX search_job_due ON experiments.search_job (leased_until, queued_at);
      ${addMonths([...partitioned, "trace_words"])}
      ${queueStored}
      ${tenantPolicy("experiments.search_job")}
      CREATE POLICY relay ON experiments.search_job TO ${relay} USING (true);
      GRANT SELECT, INSERT, DELETE ON experiments.search_job TO ems_experiments;
      GRANT SELECT, UPDATE (leased_until) ON experiments.search_job TO ${relay};

      ${findTraces}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION experiments.find_traces(text);
      ${addMonths(partitioned)}
      DROP TABLE experiments.search_job, experiments.trace_words;
    `);
  }
}

// As before, with the words of traces: the service may make partitions, and change nothing else.
function addMonths(parents: readonly string[]): string {
  return `
  CREATE OR REPLACE FUNCTION experiments.add_months(days date[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  DECLARE
    parent text;
    part text;
    month date;
  BEGIN
    IF EXISTS (SELECT FROM unnest(days) day
        WHERE day IS NULL OR day NOT BETWEEN '2020-01-01' AND now() + interval '14 months') THEN
      RAISE EXCEPTION 'results are kept from 2020 until a year ahead' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    FOR parent, month, part IN
      SELECT p.parent, m.month, p.parent || to_char(m.month, '_YYYY_MM')
      FROM (SELECT DISTINCT (date_trunc('month', day) + ahead * interval '1 month')::date AS month
            FROM unnest(days) day, generate_series(0, 1) ahead) m,
        unnest('{${parents.join(",")}}'::text[]) p (parent)
      ORDER BY m.month, p.parent
    LOOP
      CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
      PERFORM pg_advisory_xact_lock(hashtextextended('experiments.add_months', 0));
      -- Looked up in the table again: to_regclass may remember that there was none.
      CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
      EXECUTE format('CREATE TABLE experiments.%I (LIKE experiments.%I INCLUDING ALL)', part, parent);
      EXECUTE format('ALTER TABLE experiments.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
      EXECUTE format('CREATE POLICY tenant ON experiments.%I
        USING (application_id = nullif(current_setting(''ems.application_id'', true), '''')::uuid)', part);
      IF parent = 'trace_words' THEN
        EXECUTE format('ALTER TABLE experiments.%I ALTER COLUMN words SET STATISTICS 0', part);
      END IF;
      EXECUTE format('ALTER TABLE experiments.%I ATTACH PARTITION experiments.%I FOR VALUES FROM (%L) TO (%L)',
        parent, part, month::timestamptz, (month + interval '1 month')::timestamptz);
    END LOOP;
  END $$;`;
}

// What is stored is indexed like what comes, the newest first. Row-level security binds the owner too, who must know for once
// whose traces there are.
const queueStored = `
  ALTER TABLE experiments.trace NO FORCE ROW LEVEL SECURITY;
  DO $$
  DECLARE days date[];
  BEGIN
    SELECT array_agg(DISTINCT (date_trunc('month', created_at, 'UTC') AT TIME ZONE 'UTC')::date) INTO days
    FROM experiments.trace;
    IF days IS NOT NULL THEN PERFORM experiments.add_months(days); END IF;
  END $$;
  INSERT INTO experiments.search_job (application_id, org_id, trace_ids, positions, bytes)
  SELECT application_id, org_id, array_agg(id), array_agg(0), sum(bytes) FROM (
    SELECT application_id, org_id, id, bytes,
      row_number() OVER (PARTITION BY application_id ORDER BY created_at DESC) / 100 AS batch
    FROM experiments.trace WHERE steps > 0
  ) stored GROUP BY application_id, org_id, batch;
  ALTER TABLE experiments.trace FORCE ROW LEVEL SECURITY;`;

// Which of the tenant's traces have all words: the newest 10,000. Of more, the days are gone through from the last one, by their
// keys: a common word costs about what 10,000 traces cost. The tenant is the transaction's setting, never an argument;
// compared so that no index but the words' one serves.
const findTraces = `
  CREATE FUNCTION experiments.find_traces(needle text) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET jit = off SET max_parallel_workers_per_gather = 0 SET work_mem = '32MB' AS $$
  DECLARE
    most CONSTANT integer := 10000;
    tenant uuid := nullif(current_setting('ems.application_id', true), '')::uuid;
    keys bigint[] := needle::bigint[];
    split bigint := keys[1];
    wanted bigint[] := keys[2:];
    found uuid[];
    number integer := 0;
    more integer;
    first_day bigint;
    last_day bigint;
  BEGIN
    IF cardinality(wanted) = 0 THEN
      RETURN;
    END IF;
    found := ARRAY(SELECT w.trace_id FROM experiments.trace_words w
      WHERE w.words @> wanted AND NOT w.application_id IS DISTINCT FROM tenant LIMIT most + 1);
    IF cardinality(found) <= most THEN
      RETURN QUERY SELECT unnest(found);
    ELSE
      SELECT floor(extract(epoch FROM min(t.created_at)) / 86400), floor(extract(epoch FROM max(t.created_at)) / 86400)
        INTO first_day, last_day FROM experiments.trace t WHERE t.application_id = tenant;
      FOR day IN REVERSE last_day..first_day LOOP
        RETURN QUERY SELECT w.trace_id FROM experiments.trace_words w
          WHERE w.words @> (wanted || -day) AND NOT w.application_id IS DISTINCT FROM tenant
            AND w.created_at >= to_timestamp(day * 86400) AND w.created_at < to_timestamp((day + 1) * 86400)
          ORDER BY w.created_at DESC LIMIT most - number;
        GET DIAGNOSTICS more = ROW_COUNT;
        number := number + more;
        EXIT WHEN number >= most;
      END LOOP;
    END IF;
    IF cardinality(wanted) > 1 THEN
      RETURN QUERY SELECT one.trace_id FROM unnest(wanted) key, LATERAL (
          SELECT DISTINCT w.trace_id FROM experiments.trace_words w
          WHERE w.words @> ARRAY[key, split] AND NOT w.application_id IS DISTINCT FROM tenant
        ) one
        GROUP BY 1 HAVING count(*) = cardinality(wanted) LIMIT most;
    END IF;
  END $$;
  REVOKE ALL ON FUNCTION experiments.find_traces(text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION experiments.find_traces(text) TO ems_experiments;`;
