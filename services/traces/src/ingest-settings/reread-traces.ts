import type { Transaction } from "@ems/kit/db/transaction";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import type { Redactor } from "@ems/kit/redaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { parsePaths, readStoredValues, type StoredValues, type TracePaths, toId } from "../trace-paths/index.ts";
import {
  addSessions,
  deleteEmptySessions,
  lockTraces,
  type PagedTrace,
  readRangePage,
  storedTraces,
  type TraceRow,
} from "../traces/index.ts";
import type { IngestSettingRow } from "./entity.ts";
import { type FoundIds, rereadIds } from "./reread-ids.ts";

type Handler = Handlers<typeof IngestSettingsService>["rereadTraces"];

/** Limits of one request, whose traces one transaction changes. */
const limits = { traces: 200, column: "bytes", sum: 64 * 1024 * 1024 } as const;

const updateRows = `UPDATE traces.trace t SET session = v.session, session_id = v.session_id, end_user = v.end_user,
    end_user_key = v.end_user_key, pinned = v.pinned, modified_at = $8
  FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::integer[])
    AS v (id, session, session_id, end_user, end_user_key, pinned)
  WHERE t.application_id = $1 AND t.id = v.id`;
const replacements = "SELECT redactions FROM traces.ingest_setting WHERE application_id = $1";

/** Applies the paths of session and user to stored traces. */
export function rereadTraces({
  database,
  clock,
  arrivalRules,
  redactors,
}: Pick<Deps, "database" | "clock" | "arrivalRules" | "redactors">): Handler {
  return async ({ startDate, endDate, dryRun = false, cursor }, call) => {
    if (startDate === undefined || endDate === undefined) throw new Error("the codec requires the range");
    const { applicationId } = call.tenant;
    arrivalRules.forget(applicationId);
    const paths = parsePaths((await arrivalRules.of(call)).paths);
    const redactor = await redactors.of(call);
    const isRedacted = await readReplacements(database, call);
    const range = { start: dateFromTimestamp(startDate), end: dateFromTimestamp(endDate), cursor };
    const page = await readRangePage(database, call, range, limits);
    const counts = { changedSessions: 0, changedUsers: 0, redactedTraces: 0 };
    return database.runExpensive(call, async () => {
      const found = new Map<string, FoundIds>();
      for (const trace of page.traces) found.set(trace.id, await findStoredIds(database, call, trace, paths));
      return database.change(call, async (tx) => {
        const work = { tx, call, found, isRedacted, redactor, counts, now: clock.now(), dryRun };
        if (page.traces.length > 0) await rereadAll(page.traces, work);
        return {
          data: {
            traces: BigInt(page.traces.length),
            changedSessions: BigInt(counts.changedSessions),
            changedUsers: BigInt(counts.changedUsers),
            redactedTraces: BigInt(counts.redactedTraces),
            archivedTraces: BigInt(page.archived),
            ...(page.cursor !== undefined && { cursor: page.cursor }),
          },
        };
      });
    });
  };
}

/** Returns a test for texts that a redaction changed: their originals are not stored. */
async function readReplacements(database: Deps["database"], call: Call): Promise<(text: string) => boolean> {
  const statement = { name: "reread-replacements", text: replacements, values: [call.tenant.applicationId] };
  const [row] = await database.read<Pick<IngestSettingRow, "redactions">>(call, statement);
  const texts = ["[redacted:", "[redacted]", ...(row?.redactions ?? []).map(({ replacement }) => replacement)];
  return (text) => texts.some((replacement) => replacement !== "" && text.includes(replacement));
}

async function findStoredIds(
  database: Deps["database"],
  call: Call,
  trace: PagedTrace,
  paths: TracePaths,
): Promise<FoundIds> {
  const found = await readStoredValues(database, call, trace, paths, ["session", "user"]);
  return { session: firstId(found.get("session")), user: firstId(found.get("user")) };
}

function firstId(values: StoredValues | undefined): StorableText | undefined {
  for (const { value } of values?.values() ?? []) {
    const id = toId(value);
    if (id !== undefined) return id;
  }
  return undefined;
}

interface Work {
  readonly tx: Transaction;
  readonly call: Call;
  readonly found: ReadonlyMap<string, FoundIds>;
  readonly isRedacted: (text: string) => boolean;
  readonly redactor: Redactor | undefined;
  readonly counts: { changedSessions: number; changedUsers: number; redactedTraces: number };
  readonly now: Date;
  readonly dryRun: boolean;
}

async function rereadAll(traces: readonly PagedTrace[], work: Work): Promise<void> {
  const { tx, call, found, isRedacted, redactor, counts, now, dryRun } = work;
  const { applicationId } = call.tenant;
  const ids = traces.map(({ id }) => id);
  if (!dryRun) await lockTraces(tx, applicationId, ids);
  const changed: TraceRow[] = [];
  const left: string[] = [];
  for (const row of await storedTraces(tx, applicationId, ids)) {
    const result = rereadIds(row, found.get(row.id) ?? { session: undefined, user: undefined }, isRedacted);
    if (result.isRedacted) counts.redactedTraces += 1;
    if (result.isSessionChanged) counts.changedSessions += 1;
    if (result.isUserChanged) counts.changedUsers += 1;
    if (!result.isSessionChanged && !result.isUserChanged && result.columns.pinned === row.pinned) continue;
    if (result.isSessionChanged && row.sessionId !== null) left.push(row.sessionId);
    changed.push({ ...row, ...result.columns });
  }
  if (dryRun || changed.length === 0) return;
  const rows = await redactIds(redactor, applicationId, changed);
  const column = <Name extends keyof TraceRow>(name: Name) => rows.map((row) => row[name]);
  const columns = (["id", "session", "sessionId", "endUser", "endUserKey", "pinned"] as const).map(column);
  tx.defer(updateRows, [applicationId, ...columns, now]);
  addSessions(tx, call.tenant, rows);
  deleteEmptySessions(tx, applicationId, left);
}

/** Applies the current redaction rules, which may be newer than the steps. */
async function redactIds(
  redactor: Redactor | undefined,
  applicationId: string,
  rows: readonly TraceRow[],
): Promise<readonly TraceRow[]> {
  if (redactor === undefined) return rows;
  return redactor.redact(applicationId, "trace", function* (redaction) {
    const redacted: TraceRow[] = [];
    for (const row of rows) {
      const session = row.session === null ? null : makeStorable(yield* redaction.text(row.session));
      const endUser = row.endUser === null ? null : makeStorable(yield* redaction.text(row.endUser));
      redacted.push({ ...row, session, endUser });
    }
    return redacted;
  });
}
