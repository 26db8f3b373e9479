// Finds the topics, tags and definitions that the rows of an import refer to by id or name.

import type { Database } from "@ems/kit/db/database";
import { Pace } from "@ems/kit/readers";
import type { Call } from "@ems/kit/rpc/call";
import type { ImportDraft } from "./import-drafts.ts";
import { FaultList } from "./import-faults.ts";

const namedBy = (table: string, name: string, condition: string) => {
  const of = `catalog.${table} r WHERE r.application_id = $1 AND ${condition}`;
  return `SELECT r.${name} AS key, min(r.id::text) AS id, count(*)::int AS count FROM ${of}
      AND r.${name} = ANY ($2::text[]) GROUP BY r.${name}
    UNION ALL SELECT r.id::text, r.id::text, 1 FROM ${of} AND r.id = ANY ($3::uuid[])`;
};

const texts = {
  topic: namedBy("topic", "title", "r.status <> 'ARCHIVED'"),
  tag: namedBy("tag", "name", "r.status = 'ACTIVE'"),
  definition: namedBy("eval_definition", "name", "true"),
};

const isId = (name: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);

interface Named {
  readonly key: string;
  readonly id: string;
  /** Number of resources that have the name. */
  readonly count: number;
}

export interface NamedIds {
  readonly topicId: string | null;
  readonly tagIds: readonly string[];
  readonly definitionIds: readonly string[];
}

/** Maximum duration of one slice of work, after which other calls use the event loop. */
export const sliceMs = 5;

/** Returns the ids for each draft, and an error for each name that matches no resource or several. */
export async function namedIds(
  database: Database,
  call: Call,
  drafts: readonly ImportDraft[],
): Promise<{ idsByDraft: ReadonlyMap<ImportDraft, NamedIds>; faults: FaultList }> {
  const { applicationId } = call.tenant;
  const named = {
    topic: distinct(drafts.flatMap(({ topic, request }) => topic ?? request.topicId ?? [])),
    tag: distinct(drafts.flatMap(({ tags }) => tags)),
    definition: distinct(drafts.flatMap(({ definitions }) => definitions)),
  };
  const found = await database.readAll(
    call,
    (["topic", "tag", "definition"] as const).map((kind) => ({
      name: `imported-${kind}`,
      text: texts[kind],
      values: [applicationId, named[kind], named[kind].filter(isId)],
    })),
  );
  const [topics, tags, definitions] = found.map((rows) => new Map((rows as Named[]).map((each) => [each.key, each])));
  const faults = new FaultList();
  const findId = (row: number, field: string, kind: string, from: typeof topics, name: string): string | undefined => {
    const match = from?.get(name) ?? from?.get(name.toLowerCase());
    if (match?.count === 1) return match.id;
    const message =
      match === undefined ? `There is no ${kind} ${name}` : `Several ${kind}s are called ${name}: use the id`;
    faults.add({ row, field, message });
    return undefined;
  };
  const idsByDraft = new Map<ImportDraft, NamedIds>();
  const pace = new Pace(sliceMs);
  for (const draft of drafts) {
    const { row, topic = draft.request.topicId } = draft;
    const field = draft.topic === undefined ? "topicId" : "topic";
    const findAll = (name: string, kind: string, from: typeof topics, list: readonly string[]) =>
      distinct(list.flatMap((each) => findId(row, name, kind, from, each) ?? [])).sort();
    idsByDraft.set(draft, {
      topicId: topic === undefined ? null : (findId(row, field, "topic", topics, topic) ?? null),
      tagIds: findAll("tags", "tag", tags, draft.tags),
      definitionIds: findAll("definitions", "evaluation definition", definitions, draft.definitions),
    });
    if (pace.isDue) await pace.turn();
  }
  return { idsByDraft, faults };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
