// Stores a recording, and reads what people and judges see of its traces.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { fromValue } from "@ems/kit/json/free-value";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import type { Trace, TraceStep } from "@ems/proto/experiments/v1/trace";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ExportTraceServiceRequestSchema as Schema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { type GetJudgeTextsResponse, TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import type { tracesHarness } from "../harness.ts";

export interface Conversation {
  readonly question: string | undefined;
  readonly answer: string | undefined;
  /** Calls of tools: name, arguments and result. */
  readonly tools: readonly string[];
  readonly tokens: string;
  readonly cost: number | undefined;
  readonly unpriced: number;
  readonly session: unknown;
  readonly user: unknown;
  /** Errors of failed steps. */
  readonly errors: readonly string[];
  /** Types of the steps, nested as the steps are. */
  readonly tree: string;
}

/** Folder of this file and of the recordings. */
export const recordings = import.meta.dirname;

/** Returns the names of the recordings: framework and version. */
export function listRecordings(folder = recordings): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith(".bin") ? file.slice(0, -".bin".length) : []));
}

/** Splits the name of a recording. */
export function splitName(name: string): { readonly framework: string; readonly version: string } {
  const { framework = "", version = "" } = /^(?<framework>.+)-(?<version>[\d.]+)$/.exec(name)?.groups ?? {};
  return { framework, version };
}

const expected = {
  question: "What does a transfer to Switzerland cost? ☕",
  failing: "Is the bank unreachable?",
  answer: "A transfer to Switzerland costs five euros.",
  tool: /^(?:mcp__bank__|Bank-)?get_fee\((?:\{"country":"Switzerland"\}|Switzerland)\) = (?:5 EUR|\{"result":"5 EUR"\})$/,
  /** Tokens of one call of the model. */
  tokens: [1_000, 50],
  /** Cost of one call by list prices of gpt-5-mini, claude-sonnet-4-5 and gemini-2.5-flash. */
  costs: [0.00035, 0.00375, 0.000425],
  session: "session-7",
  user: "user-7",
};

export const columns = ["question", "answer", "tools", "tokens", "cost", "session", "error"] as const;
export type Cells = Record<(typeof columns)[number], string | undefined>;

export type Losses = Partial<Record<(typeof columns)[number], string>>;

/** Facts that the spans of a package lack, by framework. */
const losses: Readonly<Record<string, Losses>> = {
  openai_agents: { question: "missing if the model fails" },
  claude_agent_sdk: { answer: "the error's text if the model fails" },
  dspy: { tools: "none in this program" },
  google_adk: {
    answer: "the error's record if the model fails",
    tokens: "of the last call only",
    cost: "of the last call only",
  },
  haystack: { tools: "missing" },
  semantic_kernel: { question: "in log records only" },
  smolagents: { question: "after “New task:” if the model fails" },
};

/** Returns the facts that the spans of a framework lack, by column. */
export function readLosses(framework: string): Losses {
  return losses[framework] ?? {};
}

/** Frameworks whose program calls the model once, without a tool. */
const singleCalls = ["dspy"];

/** Returns, for each column of the table, what is wrong; undefined if it is right. */
export function toCells(conversations: readonly Conversation[], framework: string): Cells {
  const calls = singleCalls.includes(framework) ? 1 : 2;
  const tokens = expected.tokens.map((each) => calls * each).join(" + ");
  const costs = expected.costs.map((each) => calls * each);
  const good = conversations.find(({ errors }) => errors.length === 0);
  const failed = conversations.find(({ errors }) => errors.length > 0);
  const isRight = (isTrue: boolean | undefined, found: unknown) =>
    isTrue === true ? undefined : (JSON.stringify(found) ?? "nothing");
  return {
    question: isRight(good?.question === expected.question && failed?.question === expected.failing, [
      good?.question,
      failed?.question,
    ]),
    answer: isRight(good?.answer?.trim() === expected.answer && failed?.answer === undefined, [
      good?.answer,
      failed?.answer,
    ]),
    tools: isRight(good?.tools.length === 1 && good.tools.every((tool) => expected.tool.test(tool)), good?.tools),
    tokens: isRight(good?.tokens === tokens, good?.tokens),
    cost: isRight(costs.includes(good?.cost ?? 0) && good?.unpriced === 0, [good?.cost, good?.unpriced]),
    session: isRight(
      conversations.length === 2 &&
        conversations.every(({ session, user }) => session === expected.session && user === expected.user),
      conversations.map(({ session, user }) => [session, user]),
    ),
    error: isRight(
      failed?.errors.some((error) => error.includes("unreachable")),
      failed?.errors,
    ),
  };
}

type Harness = Awaited<ReturnType<typeof tracesHarness>>;

type Caller = ReturnType<typeof testCall>;

export async function exportRecording(harness: Harness, name: string, caller: Caller, folder = recordings) {
  const message = fromBinary(Schema, gunzipSync(readFileSync(join(folder, `${name}.bin`))));
  const payload = toBinary(Schema, message);
  await harness.client(OtlpService).exportTraces({ payload, contentType: "application/x-protobuf" }, caller);
}

/** Returns the conversations of a recording. */
export async function readRecording(harness: Harness, name: string, folder = recordings): Promise<Conversation[]> {
  const caller = testCall(testTenant());
  await exportRecording(harness, name, caller, folder);
  const traces = harness.client(TraceService);
  const { data } = await traces.listTraces({ limit: 100 }, caller);
  const conversations = data.map(async ({ id }) => {
    const { data: trace } = await traces.getTrace({ id }, caller);
    const texts = await harness.client(TraceWorkService).getJudgeTexts({ traceId: id, needsQuestion: true }, caller);
    if (trace === undefined) throw new Error("no trace");
    return toConversation(trace, texts);
  });
  return Promise.all(conversations);
}

/** People see the question and the answer that judges read. */
function toConversation(trace: Trace, texts: GetJudgeTextsResponse): Conversation {
  const metadata = trace.metadata && fromValue(trace.metadata);
  const facts = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? metadata : {};
  const { steps, question, answer } = trace;
  if (question !== texts.question || answer !== texts.output) throw new Error("people and judges read other texts");
  return {
    question,
    answer,
    tools: steps.flatMap(({ type, name = "", toolInput, toolOutput }) =>
      type === "tool" && name !== "final_answer" && (toolInput ?? toolOutput) !== undefined
        ? `${name}(${toolInput}) = ${toolOutput}`
        : [],
    ),
    tokens: `${trace.tokens?.input ?? 0} + ${trace.tokens?.output ?? 0}`,
    cost: trace.totalCost,
    unpriced: Number(trace.unpricedSteps),
    session: facts["session.id"],
    user: facts["user.id"],
    errors: steps.flatMap(({ status, error }) => (status === "error" ? (error ?? "") : [])),
    tree: tree(steps),
  };
}

function tree(steps: readonly TraceStep[], parent?: string): string {
  const ids = new Set(steps.map(({ id }) => id));
  const within = steps.filter(({ parentId }) =>
    parent === undefined ? parentId === undefined || !ids.has(parentId) : parentId === parent,
  );
  return within
    .map(({ id, type }) => {
      const inner = tree(steps, id);
      return inner === "" ? type : `${type}(${inner})`;
    })
    .join(" ");
}
