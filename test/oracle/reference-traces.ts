// Random traces and steps of an application: rows to insert, and rows as reports list them.

import type { Tenant } from "@ems/kit/tenant";
import type { Random } from "./random.ts";
import { decimal, plus, toNumber, whole } from "./rational.ts";
import type { Size } from "./reference-model.ts";

export function randomId(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

const costs = [0, 1e-7, 0.000_012_5, 0.1, 0.2, 0.3, 17.25, 123_456.789];
const durations = [0, 1, 2, 3, 49, 50, 51, 52, 100, 1_000, 86_400_000];

type Total =
  | "durationMs"
  | "unpricedSteps"
  | `${"input" | "cachedInput" | "cacheWrite" | "output" | "reasoning"}Tokens`;

export function randomTraces(
  { orgId, applicationId }: Pick<Tenant, "orgId" | "applicationId">,
  random: Random,
  size: Pick<Size, "traces" | "steps">,
  moment: () => number,
) {
  const maybe = <T>(value: T) => (random.is(0.25) ? null : value);
  const duration = () => (random.is(0.3) ? random.pick(durations) : random.int(0, 30_000));
  const tokens = () => (random.is(0.1) ? random.int(0, 2_000_000_000) : random.int(0, 9_000));
  const names = ["s-1", "s-2", "S-1", "ø"];
  const sessions = names.map((externalId) => {
    const times = { lastAt: moment(), createdAt: moment() };
    return { applicationId, orgId, id: randomId(random), externalId, ...times };
  });
  const traces = Array.from({ length: size.traces }, () => {
    const isPriced = random.is(0.7);
    const session = maybe(random.pick(sessions));
    return {
      applicationId,
      orgId,
      id: randomId(random),
      referenceId: maybe(random.pick(["a", "b", "Ö"])),
      testId: maybe(randomId(random)),
      type: random.pick(["llm", "agent", "group"]),
      isRootChild: false,
      hasError: random.is(0.2),
      endUser: maybe(random.pick(["ada", "Bo", "💛"])),
      session: session?.externalId ?? null,
      sessionId: session?.id ?? null,
      service: maybe(random.pick(["shop", "Chat"])),
      version: maybe(random.pick(["1.2", "1.10"])),
      environment: maybe(random.pick(["production", "staging"])),
      stepCount: random.int(0, 12),
      totalDurationMs: duration(),
      totalCost: isPriced ? random.pick(costs) : 0,
      pricedSteps: isPriced ? 1 : 0,
      unpricedSteps: random.int(0, 2),
      totalPromptTokens: tokens(),
      totalCachedTokens: tokens(),
      totalCacheWriteTokens: tokens(),
      totalCompletionTokens: tokens(),
      totalReasoningTokens: tokens(),
      timestamp: moment(),
      createdAt: moment(),
      modifiedAt: moment(),
      metadata: {},
      steps: 0,
      bytes: 0,
      pinned: 0,
      replacedCharacters: 0,
      holdsUsage: false,
    };
  });
  const steps = Array.from({ length: size.steps }, () => {
    const trace = random.pick(traces);
    const usage = maybe({
      promptTokens: tokens(),
      completionTokens: tokens(),
      ...(random.is(0.5) && { cachedTokens: tokens(), reasoningTokens: tokens() }),
      ...(random.is(0.3) && { cacheWriteTokens: tokens() }),
    });
    const fields = {
      name: maybe(random.pick(["search", "Answer", "ø"])),
      status: maybe(random.pick(["error", "pending"])),
      modelId: maybe(random.pick(["large", "small", ""])),
      own: maybe({ provider: maybe(random.pick(["openai", "anthropic"])) }),
      error: maybe(random.pick(["Timeout", "Not found"])),
      durationMs: maybe(duration()),
      costAmount: maybe(random.pick(costs)),
      isUnpriced: random.is(0.2) ? true : null,
      usage,
    };
    return {
      applicationId,
      traceId: trace.id,
      month: getMonth(trace.createdAt),
      id: randomId(random),
      timestamp: moment(),
      position: 0,
      size: 1,
      type: random.pick(["llm", "llm", "tool", "retriever", "group"]),
      fields: present(fields),
    };
  });
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  const stepRows = steps.map((step) => {
    const { fields } = step;
    const trace = byId.get(step.traceId);
    const usage = fields.usage;
    const count = (value: number | undefined) => (usage === undefined ? null : whole(value ?? 0));
    const name = fields.name ?? null;
    return {
      id: step.id,
      orgId,
      applicationId,
      traceId: step.traceId,
      testId: trace?.testId ?? null,
      type: step.type,
      status: fields.status ?? "success",
      errored: fields.status === "error",
      name,
      model: fields.modelId || null,
      provider: fields.own?.provider ?? null,
      tool: step.type === "tool" ? name : null,
      error: fields.error ?? null,
      user: trace?.endUser ?? null,
      session: trace?.session ?? null,
      service: trace?.service ?? null,
      version: trace?.version ?? null,
      environment: trace?.environment ?? null,
      durationMs: fields.durationMs === undefined ? null : whole(fields.durationMs),
      cost: fields.costAmount === undefined ? null : decimal(fields.costAmount),
      unpricedSteps: whole(fields.isUnpriced === true ? 1 : 0),
      inputTokens: count(usage?.promptTokens),
      cachedInputTokens: count(usage?.cachedTokens),
      cacheWriteTokens: count(usage?.cacheWriteTokens),
      outputTokens: count(usage?.completionTokens),
      reasoningTokens: count(usage?.reasoningTokens),
      timestamp: step.timestamp,
      createdAt: trace?.createdAt ?? 0,
    };
  });
  const traceRows = traces.map((trace) => ({
    id: trace.id,
    orgId,
    applicationId,
    referenceId: trace.referenceId,
    testId: trace.testId,
    type: trace.type,
    status: trace.hasError ? "error" : "success",
    errored: trace.hasError,
    user: trace.endUser,
    session: trace.session,
    service: trace.service,
    version: trace.version,
    environment: trace.environment,
    stepCount: whole(trace.stepCount),
    durationMs: whole(trace.totalDurationMs),
    cost: trace.pricedSteps > 0 || trace.totalCost > 0 ? decimal(trace.totalCost) : null,
    unpricedSteps: whole(trace.unpricedSteps),
    inputTokens: whole(trace.totalPromptTokens),
    cachedInputTokens: whole(trace.totalCachedTokens),
    cacheWriteTokens: whole(trace.totalCacheWriteTokens),
    outputTokens: whole(trace.totalCompletionTokens),
    reasoningTokens: whole(trace.totalReasoningTokens),
    timestamp: trace.timestamp,
    createdAt: trace.createdAt,
    modifiedAt: trace.modifiedAt,
  }));
  const sessionRows = sessions.flatMap((session) => {
    const own = traces
      .map((trace, at) => ({ trace, row: traceRows[at] }))
      .filter(({ trace }) => trace.sessionId === session.id)
      .toSorted((a, b) => a.trace.timestamp - b.trace.timestamp || (a.trace.id < b.trace.id ? -1 : 1));
    const total = (name: Total) => own.map(({ row }) => row?.[name] ?? whole(0)).reduce(plus, whole(0));
    const costs = own.flatMap(({ row }) => row?.cost ?? []);
    const errors = own.filter(({ trace }) => trace.hasError).length;
    if (own.length === 0) return [];
    return {
      id: session.id,
      orgId,
      applicationId,
      externalId: session.externalId,
      user: own.find(({ trace }) => trace.endUser !== null)?.trace.endUser ?? null,
      turns: whole(own.length),
      errors: whole(errors),
      errored: errors > 0,
      durationMs: total("durationMs"),
      cost: costs.length === 0 ? null : decimal(toNumber(costs.reduce(plus))),
      unpricedSteps: total("unpricedSteps"),
      inputTokens: total("inputTokens"),
      cachedInputTokens: total("cachedInputTokens"),
      cacheWriteTokens: total("cacheWriteTokens"),
      outputTokens: total("outputTokens"),
      reasoningTokens: total("reasoningTokens"),
      startedAt: own[0]?.trace.timestamp ?? 0,
      lastAt: session.lastAt,
      createdAt: session.createdAt,
    };
  });
  return { traces, steps, sessions, traceRows, stepRows, sessionRows };
}

function getMonth(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 7)}-01T00:00:00.000Z`;
}

type Present<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Leaves out fields that are null, as stored JSON does. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Present<Fields>;
}
