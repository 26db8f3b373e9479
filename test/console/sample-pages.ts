// Paths of all pages of the console, each with content.

import type { OpenedConsole } from "./open-console.ts";
import { completedExperiment } from "./sample-experiment.ts";

const extract = { pattern: "\\d+ euros", flags: "g", group: 0 };
const match = {
  type: "OUTPUT_MATCH",
  name: "Names all prices",
  globalConfig: { type: "list", matchMode: "contains", extract },
};
const connection = { name: "Judge", provider: "openai", model: "judge-1", apiKey: "of-no-provider" };

/** Returns the paths of all pages by name. Creates data that the sample data lacks. */
export async function samplePages({ call }: Pick<OpenedConsole, "call">): Promise<Readonly<Record<string, string>>> {
  const first = async (path: string) => ((await call("GET", path)).data as { id: string }[])[0]?.id ?? "";
  const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
  const { id: experiment, baseline, colder } = await completedExperiment(call);
  // No receiver listens at this port, so that deliveries fail.
  await call("POST", "/v0/webhook", { url: "http://127.0.0.1:65535" });
  await call("POST", "/v0/webhook/test");
  // Choose the resources with the most content.
  const task = await first("/v0/tasks?orderBy=title&orderDir=asc");
  const definition = await made("/v0/definitions", match);
  const document = await twoVersions(call);
  const quickstart = `/quickstarts/${await first("/v0/quickstarts")}`;
  const styleGuide = `/style-guides/${await first("/v0/style-guides")}`;
  const report = "/reports?source=test&group=string:topicId";
  return {
    overview: "/",
    topics: "/topics",
    topic: `/topics/${await first("/v0/topics?orderBy=title&orderDir=asc")}`,
    tasks: "/tasks",
    task: `/tasks/${task}`,
    runs: "/runs",
    run: `/runs/${await first("/v0/runs")}`,
    tests: "/tests",
    test: `/tests/${await first("/v0/tests?status=COMPLETED&runType=SCHEDULED")}`,
    traces: "/traces",
    trace: `/traces/${await first("/v0/traces?orderBy=stepCount")}`,
    definitions: "/definitions",
    definition: `/definitions/${await first("/v0/definitions?orderBy=name&orderDir=asc")}`,
    "definition-list": `/definitions/${definition}`,
    "definition-edit": `/definitions/${definition}/edit`,
    "definition-new": "/definitions/new",
    links: "/definitions/links",
    "style-guides": "/style-guides",
    "style-guide": styleGuide,
    "style-guide-edit": `${styleGuide}/edit`,
    experiments: "/experiments",
    experiment: `/experiments/${experiment}`,
    "run-comparison": `/runs/compare?a=${baseline}&b=${colder}`,
    "run-comparison-choice": "/runs/compare",
    webhook: "/webhook",
    deliveries: "/deliveries",
    delivery: `/deliveries/${await first("/v0/webhook/deliveries")}`,
    keys: "/settings/keys",
    models: "/settings/models",
    model: `/settings/models/${await made("/v0/model-connections", connection)}`,
    // The test stays pending, because no model answers.
    "document-test": `/document-tests/${await made("/v0/documents/tests/trigger", { type: "KNOWLEDGE_COVERAGE" })}`,
    "document-tests": "/document-tests",
    budgets: "/settings/evaluation",
    people: "/settings/people",
    members: "/settings/members",
    health: "/settings/health",
    "audit-log": "/settings/audit-log",
    "erasure-new": `/settings/erasures/new?user=${encodeURIComponent(endUser)}`,
    redaction: await redactionRules(call),
    "trace-paths": "/settings/trace-paths",
    exports: "/settings/exports",
    documents: "/documents",
    document: `/documents/${document}`,
    "document-changes": `/documents/${document}?version=2&before=1`,
    "report-new": "/reports",
    "report-bars": `${report}&group=string:status&measure=count&timezone=UTC`,
    "report-pie": `${report}&measure=count&chart=pie&timezone=UTC`,
    facts: "/facts",
    reviews: "/reviews",
    issues: "/issues",
    issue: `/issues/${await openIssue(call, first)}`,
    review: await waitingReview(call, first, made),
    quickstarts: "/quickstarts",
    quickstart,
    contradictions: `${quickstart}/contradictions`,
    // Create the erasure last, because it adds traces and earlier pages use the newest trace.
    erasures: "/settings/erasures",
    erasure: await completedErasure(call),
    "sign-in": "/sign-in",
  };
}

type First = (path: string) => Promise<string>;
type Made = (path: string, body: unknown) => Promise<string>;

/** Creates facts, and a review queue with one pending trace. Returns the path of the queue. */
async function waitingReview(call: OpenedConsole["call"], first: First, made: Made): Promise<string> {
  const topicId = await first("/v0/topics");
  const fact = { statement: "An account costs nothing.", sourceQuote: "Accounts are free.", topicIds: [topicId] };
  await made("/v0/facts", { ...fact, scope: "TOPIC", status: "ACTIVE" });
  await made("/v0/facts", { statement: "Branches open at nine.", scope: "APPLICATION", status: "DRAFT" });
  const queue = await made("/v0/human-annotation-queues", { topicId });
  await call("POST", `/v0/human-annotation-queues/${queue}/items`, { traceIds: [await first("/v0/traces")] });
  return `/reviews/${queue}`;
}

async function openIssue(call: OpenedConsole["call"], first: First): Promise<string> {
  const traceId = await first("/v0/traces");
  const critique = "It names the fees of last year.";
  await call("POST", "/v0/human-annotations", { traceId, verdict: false, source: "TRACE_PAGE", critique });
  return first("/v0/issues?source=HUMAN_ANNOTATION");
}

const endUser = "ann@example.com";

/** Erases one end user and leaves another one's data. Returns the path of the erasure. */
async function completedErasure(call: OpenedConsole["call"]): Promise<string> {
  const steps = [{ type: "llm", event: "end", name: "answer", input: "Where is my card?", output: "On its way." }];
  for (const userId of [endUser, "bob@example.com"])
    await call("POST", "/v0/ingest", { events: [{ type: "trace", metadata: { userId }, steps }] });
  const { data } = (await call("POST", "/v0/erasures", { user: "bob@example.com" })) as { data: { id: string } };
  return `/settings/erasures/${data.id}`;
}

/** Sets redaction rules, paths and noise rules that match nothing in the sample data. Returns the path of the rules' page. */
async function redactionRules(call: OpenedConsole["call"]): Promise<string> {
  const own = { name: "customer", pattern: "\\bK-\\d{6}\\b", replacement: "[customer]" };
  const card = { builtIn: "CREDIT_CARD", replacement: "[card]" };
  await call("PUT", "/v0/ingest-settings", {
    redactions: [{ builtIn: "IBAN" }, card, own],
    question: "step['own turn'].input.messages[-1].content",
    noise: [{ name: "GET /static/*", keep: false }],
  });
  return "/settings/redaction";
}

async function twoVersions(call: OpenedConsole["call"]): Promise<string> {
  const body = { title: "Fees", content: "An account costs nothing." };
  const { document } = (await call("POST", "/v0/documents", body)) as { document: { id: string } };
  await call("POST", `/v0/documents/${document.id}/versions`, { content: "An account costs three euros." });
  return document.id;
}
