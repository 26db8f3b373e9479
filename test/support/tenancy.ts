// Looks at a database as it stands and says where a tenant's rows are not walled in.

import type { QueryResultRow } from "pg";

type Sql = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

interface ViewFacts {
  view: string;
  columns: string[];
  kind: "v" | "m" | "f";
  /** True if row-level security does not bind the owner. */
  powerful: boolean;
  /** Tables that it reads and that do not bind the owner either. */
  open: string[];
}

interface TableFacts {
  table: string;
  columns: string[];
  enabled: boolean;
  forced: boolean;
  tenant_policies: number;
  open_policies: string[];
  /** Policies for all applications' rows that let in more than the relay role they are for. */
  shared_policies: string[];
  /** Roles with direct access to a partition. */
  granted: string[];
  keys: { name: string; first: string; unique: boolean }[];
}

/** Tables whose texts are searched. */
const searchedTables = ["task", "tag", "topic", "document_version", "experiment", "app_user"];

/** Policies that let through more than one tenant's rows, each with its reason. */
const knownPolicies: ReadonlySet<string> = new Set([
  // A relay publishes the events of every application in its service's outbox.
  "outbox.relay",
  // Notifications has events sent again that never came to it, whosever they are; the second one takes rights, and gives none.
  "outbox.reconcile",
  "outbox.send_again",
  // Deliveries of every application are made by one worker, and events of every application come by one consumer.
  "inbox.relay",
  "dead_event.relay",
  "webhook.relay",
  "delivery.relay",
  "attempt.relay",
  "prompt_outcome.relay",
  // The consumer writes the log of every application's events, and wakes waiting requests.
  "event_position.relay",
  "event_log.relay",
  // And mails of every application are sent by one mailer.
  "mail_job.relay",
  // Operators have feedback sent again that did not go out, whosever it is.
  "feedback.relay",
  // Any process indexes the words of traces, whosever they are; as the application's own role.
  "search_job.relay",
  // Any process starts the runs that schedules are due for, as the application's own role.
  "task_schedule.relay",
  // It completes any application's traces, as the application's own role, and reads the share of live traffic that is judged.
  "trace_settling.relay",
  "execution_setting.relay",
  "monitoring_run.relay",
  // And measures any application's judges, as the application's own role.
  "judge_calibration.relay",
  // Document tests are claimed by any process.
  "document_test.relay",
  // Erasures go on in any process, as the application's own role.
  "erasure.relay",
  "erasure_work.relay",
  // Traces' workers read how much live traffic of each application is judged, and which applications an erasure is about.
  "execution_setting.traces",
  "erasure.traces",
  // Work on tests in flight is claimed, and its deadlines kept, by any process.
  "test_execution.relay",
  // So is work on jobs; and a model connection's limits count the calls of all its applications.
  "job.relay",
  "model_call.relay",
  // As with searched texts: a function of the owner's reads the words, for the one tenant that the transaction names.
  "trace_words.search",
  // The index of searched texts takes no condition under a policy that says something: functions of the owner's read these,
  // for the one tenant that the transaction names, and no view does.
  ...searchedTables.map((table) => `${table}_search.search`),
  // Applications with rows past their retention, and nothing else of them.
  "audit.relay",
  // And which batches of the archive are withdrawn.
  "archive_batch.relay",
  "trace.relay",
  "test.relay",
  // The bootstrap checks for existing organizations.
  "organisation.operator",
  // Reading a key requires its digest, before its tenant is determined.
  "api_key.possession",
  // A person signs in before anybody knows whose member they are: they see their own rows of these.
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
  // Its keys of words stand for one application's word each.
  "trace_words_words",
  // The age of the oldest outcome is a metric, and abandoned ones are deleted.
  "prompt_outcome_created",
  // Any process takes what is to be indexed longest.
  "search_job_due",
  // Due completions, and rows that end with their day.
  "trace_settling_due",
  "task_schedule_due",
  "monitoring_run_open",
  "test_execution_deadline",
  "document_test_due",
  // Jobs that need no model are claimed apart, and old ones deleted by age.
  "job_due",
  "erasure_due",
  "erasure_work_due",
  "job_finished",
  // A connection may belong to an organization: its window has calls of many applications.
  "model_call_window",
  "model_call_ended",
  // A key is looked up before its tenant is known.
  "api_key_digest_key",
  // So is a person who signs in, and what waits for their address; and their memberships are of several applications.
  "sign_in_subject",
  "invitation_email",
  "member_user",
  // An application is looked up before its organization is known.
  "application_id",
  // The relay takes due events of all applications, and deletes what was published long ago.
  "outbox_due",
  // So does the mailer with old mails.
  "mail_job_finished",
  // Operators look for feedback that did not go out.
  "feedback_unsent",
  "outbox_published",
  // The inbox is pruned by age.
  "inbox_received",
]);

/** Tables of the installation, which have no tenant's rows: what was migrated, and what is kept for how long. */
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
  return [...tables.flatMap(faultsOf), ...views.flatMap(viewFaultsOf)];
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

function viewFaultsOf({ view, kind, columns, powerful, open }: ViewFacts): string[] {
  return [
    ...(kind === "v" ? [] : [`${view}: holds rows, but cannot have row-level security`]),
    ...(powerful ? [`${view}: row-level security does not bind its owner`] : []),
    ...(columns.includes("application_id") ? [] : [`${view}: does not tell the application of a row`]),
    ...open.map((table) => `${view}: reads ${table}, whose row-level security does not bind the owner`),
  ];
}

function faultsOf(facts: TableFacts): string[] {
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
