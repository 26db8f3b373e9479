// A year of traces with realistic payloads: the API ingests some thousands, which creates their rows and word keys; SQL
// then repeats them over the year.

import { until } from "@ems/dev/until";
import { newId } from "@ems/kit/id";
import pg from "pg";
import type { Side } from "../sides.ts";

/** Occurs in one of ten thousand traces. */
export const rareWord = "chrysanthemum";
/** Occurs in about every third trace. */
export const commonWord = "kovi";

export const stepsPerTrace = 5;
const [templateCount, perRequest] = [4_000, 100];
/** Only one template has the rare word: copies of it are one in this many traces. */
const rareEvery = 10_000;

/** Creates `steps` in the side's application, five per trace, at the times of `reporting/data.ts`. */
export async function fillTraces(side: Side, steps: number): Promise<void> {
  const traces = Math.ceil(steps / stepsPerTrace);
  const templates = Math.min(templateCount, Math.max(perRequest, Math.ceil(traces / 10)));
  for (let at = 0; at < templates; at += perRequest) {
    const events = Array.from({ length: perRequest }, (_, index) => buildTrace(at + index));
    const answer = await send(side, "/v0/ingest", { events });
    const { data } = (await answer.json()) as { data: { success: boolean; error?: string }[] };
    const refused = data.find(({ success }) => !success);
    if (refused !== undefined) throw new Error(`a trace was refused: ${refused.error}`);
  }
  const rare = (await send(side, "/v0/ingest", { events: [buildTrace(7, ` ${rareWord}`)] })).status;
  if (rare !== 200) throw new Error(`POST /v0/ingest: ${rare}`);
  await repeat(side, traces);
}

async function send({ baseUrl, headers }: Side, path: string, body: object): Promise<Response> {
  const answer = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Numbers from 0 to 1 that depend only on the seed. */
function* randoms(seed: number): Generator<number, never> {
  let state = seed * 2654435761 + 1;
  while (true) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    yield ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  }
}

const syllables = "ba ne ko ri ta mu se lo vi da pe no ga fi ru so me ti la bo".split(" ");
/** Words of one language; frequent words are first and short. */
const vocabulary = [...syllables.flatMap((a) => syllables.map((b) => a + b))].flatMap((word, at) => [
  word,
  ...syllables.map((end) => word + end).slice(0, at < 40 ? 2 : 12),
]);

function buildTrace(number: number, more = "") {
  const random = randoms(number + 1);
  const next = () => random.next().value;
  // As in any language, few words are frequent: the lower its index, the more frequent the word.
  const words = (count: number) =>
    Array.from({ length: count }, () => vocabulary[Math.floor(vocabulary.length * next() ** 4)]).join(" ");
  const int = (least: number, most: number) => Math.floor(least + (most - least) * next());
  const question = words(int(8, 30));
  const passages = Array.from({ length: 3 }, (_, rank) => ({ rank, content: words(int(50, 110)) }));
  const answer = words(int(30, 160)) + more;
  const order = { order: int(100_000, 999_999), amount: int(1, 9_999) / 100, state: words(2) };
  const messages = [
    { role: "system", content: `${words(60)}\n\n${passages.map(({ content }) => content).join("\n\n")}` },
    { role: "user", content: question },
  ];
  const step = (type: string, name: string, rest: object) => ({ type, name, durationMs: int(20, 2_500), ...rest });
  const tokens = { input: int(300, 900), output: int(20, 250) };
  const llm = { event: "end", modelId: "gpt-4o-mini", tokens, costAmount: tokens.input * 1.5e-7 };
  return {
    type: "trace",
    traceId: newId(),
    referenceId: `call-${number}`,
    metadata: { channel: ["web", "app", "phone"][int(0, 3)], session: newId() },
    steps: [
      step("request", "question", { input: question, output: answer }),
      step("retriever", "Search the knowledge base", { input: question, output: passages }),
      step("llm", "Choose a tool", { ...llm, input: messages, output: words(int(5, 20)) }),
      step("tool", "Look up the order", { input: { order: order.order }, output: order }),
      step("llm", "Write the answer", {
        ...llm,
        input: [...messages, { role: "tool", content: order }],
        output: answer,
      }),
    ],
  };
}

const months = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2025, 10 + at)).toISOString().slice(0, 10));

/** Tables of a trace in order of insertion, each with its column for the trace, and the values that a copy changes. */
const copied = [
  {
    name: "trace",
    trace: "id",
    own: {
      id: "new.id",
      created_at: "new.at",
      modified_at: "new.at",
      timestamp: "new.at",
      started_at: "new.at + (t.started_at - t.timestamp)",
      ended_at: "new.at + (t.ended_at - t.timestamp)",
      root_at: "new.at + (t.root_at - t.timestamp)",
    },
  },
  {
    name: "trace_step",
    trace: "trace_id",
    own: {
      trace_id: "new.id",
      month: "date_trunc('month', new.at, 'UTC')",
      timestamp: "new.at + (t.timestamp - (SELECT timestamp FROM bench_trace b WHERE b.template = t.template))",
    },
  },
  {
    name: "trace_words",
    trace: "trace_id",
    own: {
      trace_id: "new.id",
      created_at: "new.at",
      // The key of the day (services/traces/src/search/words.ts) is the only one below zero.
      words: `(SELECT array_agg(word) FROM unnest(t.words) word WHERE word >= 0)
        || (-floor(extract(epoch FROM new.at) / 86400))::bigint`,
    },
  },
  { name: "trace_metadata", trace: "trace_id", own: { trace_id: "new.id" } },
] satisfies readonly { name: string; trace: string; own: Readonly<Record<string, string>> }[];

/** Only the last template has the rare word. */
const newTraces = `
  INSERT INTO bench_new SELECT CASE WHEN n % ${rareEvery} = 7 THEN templates ELSE n * 7919 % templates END,
    (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70009' || lpad(to_hex(n), 15, '0'))::uuid, at
  FROM (SELECT max(template) AS templates FROM bench_trace) t, generate_series(0, $1::bigint - 1) n,
    LATERAL (SELECT date_trunc('milliseconds', timestamptz '2025-11-01Z' + interval '365 days' * ((n + 0.5) / $1)) AS at) time
  WHERE at >= $2::timestamptz AND at < $2::timestamptz + interval '1 month'`;

/** Fills the year's months with copies of the ingested traces, and removes the originals. */
async function repeat({ adminUrl, tenant: { applicationId } }: Side, traces: number): Promise<void> {
  const options = "-c timezone=UTC -c work_mem=256MB -c maintenance_work_mem=1GB";
  const client = new pg.Client({ connectionString: adminUrl, options });
  await client.connect();
  try {
    const isIndexed = async () => (await client.query("SELECT FROM traces.search_job")).rowCount === 0;
    if (!(await until(isIndexed, 300_000))) throw new Error("the words of the templates were not indexed");
    const inserts: string[] = [];
    for (const each of copied) inserts.push(await takeTemplates(client, applicationId, each));
    await client.query("SELECT traces.add_months($1)", [months]);
    // Building an index from all rows at once takes a fraction of the time.
    await client.query("DROP INDEX traces.trace_words_words");
    await client.query("CREATE UNLOGGED TABLE bench_new (template bigint, id uuid, at timestamptz)");
    for (const month of months) {
      await client.query("TRUNCATE bench_new");
      await client.query(newTraces, [traces, month]);
      for (const text of inserts) await client.query(text);
    }
    await client.query("CREATE INDEX trace_words_words ON traces.trace_words USING gin (words)");
    await client.query(`DROP TABLE bench_new, ${copied.map(({ name }) => `bench_${name}`).join(", ")}`);
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

/** Moves the table's rows to a template table; returns SQL that inserts a copy for each row of `bench_new`. */
async function takeTemplates(client: pg.Client, applicationId: string, { name, trace, own }: (typeof copied)[number]) {
  const ofApplication = `FROM traces.${name} WHERE application_id = '${applicationId}'`;
  await client.query(
    `CREATE UNLOGGED TABLE bench_${name} AS
     SELECT *, dense_rank() OVER (ORDER BY ${trace}) - 1 AS template ${ofApplication}`,
  );
  await client.query(`CREATE INDEX ON bench_${name} (template)`);
  await client.query(`ANALYZE bench_${name}`);
  await client.query(`DELETE ${ofApplication}`);
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped",
    [`traces.${name}`],
  );
  const changes: Readonly<Record<string, string>> = own;
  const values = rows.map((column) => changes[column.name] ?? `t."${column.name}"`);
  return `INSERT INTO traces.${name} (${rows.map((column) => `"${column.name}"`).join(", ")})
    SELECT ${values.join(", ")} FROM bench_new new JOIN bench_${name} t USING (template)`;
}
