// Lists gaps in the isolation of tenants' rows in a database.

import type { QueryResultRow } from "pg";

type Sql = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

interface ViewFacts {
  view: string;
  columns: string[];
  kind: "v" | "m" | "f";
  /** True if row-level security does not bind the owner. */
  powerful: boolean;
  /** Tables that it reads and whose policies do not bind the owner. */
  open: string[];
}

interface TableFacts {
  table: string;
  columns: string[];
  enabled: boolean;
  forced: boolean;
  tenant_policies: number;
  open_policies: string[];
  /** Policies for all applications' rows whose roles include more than the relay role. */
  shared_policies: string[];
  /** Roles with direct access to a partition. */
  granted: string[];
  keys: { name: string; first: string; unique: boolean }[];
}

/** Tables with searched texts. */
const searchedTables = ["task", "tag", "topic", "document_version", "experiment", "app_user"];

/** Policies on rows of several tenants, each with its reason. */
const knownPolicies: ReadonlySet<string> = new Set([
  // A relay publishes the events of every application in its service's outbox.
  "outbox.relay",
  // The notifications service republishes lost events of every application; the second policy grants no access.
  "outbox.reconcile",
  "outbox.send_again",
  // One worker makes the deliveries of every application, and one consumer receives their events.
  "inbox.relay",
  "dead_event.relay",
  "webhook.relay",
  "delivery.relay",
  "attempt.relay",
  "prompt_outcome.relay",
  // The consumer writes the log of every application's events, and wakes waiting requests.
  "event_position.relay",
  "event_log.relay",
  // Any process exports the due periods of every application.
  "export_setting.relay",
  "export_job.relay",
  // One mailer sends the mails of every application.
  "mail_job.relay",
  // Operators resend failed feedback of any application.
  "feedback.relay",
  // Retention deletes evaluations of any application whose trace was archived.
  "external_evaluation.relay",
  "attachment.relay",
  "trace_attachment.relay",
  // Any process indexes the words of any application's traces, as the application's own role.
  "search_job.relay",
  // Any process starts the due scheduled runs, as the application's own role.
  "task_schedule.relay",
  // It completes any application's traces, as the application's own role, and reads the share of live traffic that is judged.
  "trace_settling.relay",
  "execution_setting.relay",
  "monitoring_run.relay",
  // Any process calibrates any application's judges, as the application's own role.
  "judge_calibration.relay",
  // Document tests are claimed by any process.
  "document_test.relay",
  // Any process continues erasures, as the application's own role.
  "erasure.relay",
  "erasure_work.relay",
  // Workers of traces read the judged share of each application's live traffic, and the applications of erasures.
  "execution_setting.traces",
  "erasure.traces",
  // Any process claims work on running tests, and enforces their deadlines.
  "test_execution.relay",
  // Any process claims jobs; and the limits of a model connection count the calls of all its applications.
  "job.relay",
  "model_call.relay",
  // A function of the owner reads the words for the transaction's tenant, as with searched texts.
  "trace_words.search",
  // PostgreSQL does not use the index of searched texts under a policy with a condition: functions of the owner read these,
  // for the transaction's tenant, and no view does.
  ...searchedTables.map((table) => `${table}_search.search`),
  // Applications with rows past their retention, and nothing else of them.
  "audit.relay",
  // Withdrawn batches of the archive.
  "archive_batch.relay",
  "trace.relay",
  "test.relay",
  // The bootstrap checks for existing organizations.
  "organisation.operator",
  // Reading a key requires its digest, before its tenant is determined.
  "api_key.possession",
  // People sign in before their memberships are determined: they see their own rows of these.
  "sign_in.own",
  "invitation.own",
  "member.own",
  // A caller that acts for an application may read it: this finds the organization of a platform caller.
  "application.own",
]);

/** Keys that cannot lead with the tenant, each with its reason. */
const knownKeys: ReadonlySet<string> = new Set([
  // Each of its trigrams contains the tenant's digest.
  ...searchedTables.map((table) => `${table}_search_tokens`),
  // Each of its word keys stands for one application's word.
  "trace_words_words",
  // The age of the oldest outcome is a metric, and abandoned ones are deleted.
  "prompt_outcome_created",
  // Any process claims the oldest texts to be indexed.
  "search_job_due",
  // Due completions, and rows that end with their day.
  "trace_settling_due",
  "task_schedule_due",
  "monitoring_run_open",
  "test_execution_deadline",
  "document_test_due",
  // Jobs without a model are claimed separately, and old ones deleted by age.
  "job_due",
  "erasure_due",
  "erasure_work_due",
  "job_finished",
  // A connection may belong to an organization: its window has calls of many applications.
  "model_call_window",
  "model_call_ended",
  // A key is looked up before its tenant is determined.
  "api_key_digest_key",
  // The same for a person who signs in, and their invitations; memberships are of several applications.
  "sign_in_subject",
  "invitation_email",
  "member_user",
  // An application is looked up before its organization is determined.
  "application_id",
  // The relay publishes due events of all applications, and deletes old published ones.
  "outbox_due",
  // The mailer does the same with mails.
  "mail_job_finished",
  // Operators search for failed feedback.
  "feedback_unsent",
  "outbox_published",
  // The inbox is pruned by age.
  "inbox_received",
]);

/** Tables of the installation without tenants: migrations, and retention. */
const installationTables = "'migration', 'retention'";

const tenantColumns = ["application_id", "org_id"];

/**
 * Checks that every table of `schemas` has row-level security enabled and forced, a policy on its tenant column and no other
 * unlisted one, and keys that begin with the tenant column; the same for every partition, which may be accessed only through
 * its table. A view may read only such tables, as an owner bound by their policies, and has the tenant of each row. Returns
 * one sentence per fault.
 */
export async function tenancyFaults(sql: Sql, schemas: readonly string[]): Promise<string[]> {
  const tables = await sql<TableFacts>(
    `SELECT c.relname AS table, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
       (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
       (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polcmd = '*'
          AND p.polroles = '{0}' AND pg_get_expr(p.polqual, p.polrelid) ~ '^\\(+(application_id|org_id|id) = .*current_setting\\(''ems\\.(application_id|org_id)''')
         AS tenant_policies,
       -- A backup has every row: its role reads them, and does nothing else.
       (SELECT coalesce(array_agg(c.relname || '.' || p.polname), '{}') FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname <> 'tenant'
          AND NOT (p.polname = 'backup' AND p.polcmd = 'r' AND p.polroles = ARRAY['ems_backup'::regrole::oid]))
         AS open_policies,
       (SELECT coalesce(array_agg(c.relname || '.' || p.polname), '{}') FROM pg_policy p
        WHERE p.polrelid = c.oid AND p.polname IN ('relay', 'reconcile', 'send_again')
          AND p.polroles::regrole[]::text[] <> ARRAY['ems_' || CASE p.polname WHEN 'relay' THEN n.nspname ELSE 'notifications' END || '_relay'])
         AS shared_policies,
       (SELECT coalesce(array_agg(DISTINCT a.grantee::regrole::text), '{}') FROM aclexplode(c.relacl) a
        WHERE c.relispartition AND a.grantee <> c.relowner) AS granted,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('name', i.relname, 'unique', x.indisunique, 'first',
           (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = x.indkey[0]))), '[]')
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid) AS keys
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND c.relname NOT IN (${installationTables})
     ORDER BY 1`,
    [schemas],
  );
  const views = await sql<ViewFacts>(viewFacts, [schemas]);
  if (tables.length + views.length === 0) return [`no tables in ${schemas.join(", ")}`];
  return [...tables.flatMap(getFaults), ...views.flatMap(getViewFaults)];
}

const viewFacts = `
  SELECT c.relname AS view, c.relkind AS kind, o.rolsuper OR o.rolbypassrls AS powerful,
    (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
    (SELECT coalesce(array_agg(DISTINCT t.relname::text), '{}') FROM pg_rewrite w
       JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
       JOIN pg_class t ON t.oid = d.refobjid AND t.oid <> c.oid
     WHERE w.ev_class = c.oid AND t.relkind <> 'v' AND NOT (t.relrowsecurity AND t.relforcerowsecurity)) AS open
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles o ON o.oid = c.relowner
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('v', 'm', 'f')
  ORDER BY 1`;

function getViewFaults({ view, kind, columns, powerful, open }: ViewFacts): string[] {
  return [
    ...(kind === "v" ? [] : [`${view}: holds rows, but cannot have row-level security`]),
    ...(powerful ? [`${view}: row-level security does not bind its owner`] : []),
    ...(columns.includes("application_id") ? [] : [`${view}: does not tell the application of a row`]),
    ...open.map((table) => `${view}: reads ${table}, whose row-level security does not bind the owner`),
  ];
}

function getFaults(facts: TableFacts): string[] {
  const { table, columns, enabled, forced, tenant_policies, open_policies, shared_policies, granted, keys } = facts;
  const tenantColumn = tenantColumns.find((column) => columns.includes(column)) ?? "id";
  const leading = [tenantColumn, "org_id"];
  return [
    ...(enabled ? [] : [`${table}: row-level security is not enabled`]),
    ...(forced ? [] : [`${table}: row-level security does not bind the owner`]),
    ...(tenant_policies === 1 ? [] : [`${table}: no policy "tenant" on its tenant column`]),
    ...shared_policies.map((policy) => `${policy}: is for others than one relay role`),
    ...granted.map((role) => `${table}: ${role} may reach the partition past its table`),
    ...open_policies.filter((policy) => !knownPolicies.has(policy)).map((policy) => `${policy}: unknown policy`),
    ...keys
      .filter(
        ({ name, first }) =>
          !leading.includes(first) && !knownKeys.has(name) && !/^trace_words_\d{4}_\d\d_words_idx$/.test(name),
      )
      .map(({ name }) => `${table}: ${name} does not lead with ${tenantColumn}`),
  ];
}
