import { z } from "zod";
import { dt, optional } from "./shared.ts";

const amount = optional(z.number());

export const modelConnection = z.object({
  id: z.string(),
  createdAt: dt,
  modifiedAt: dt,
  name: z.string(),
  provider: z.enum(["openai", "anthropic", "openai-compatible"]),
  baseUrl: optional(z.string()),
  model: z.string(),
  // Never returned.
  apiKey: z.undefined().optional(),
  apiKeyLastFour: optional(z.string()),
  prices: optional(z.object({ inputPerMillion: z.number(), outputPerMillion: z.number() })),
  limits: z.object({ requestsPerMinute: amount, tokensPerMinute: amount, concurrency: amount }),
  default: z.boolean(),
  pausedAt: optional(dt),
  pauseReason: optional(z.string()),
});

export const tried = z.object({
  ok: z.boolean(),
  latencyMs: z.int(),
  model: z.string(),
  error: optional(z.string()),
  reachable: z.boolean(),
  authenticated: optional(z.boolean()),
  modelExists: optional(z.boolean()),
  structuredOutput: optional(z.enum(["HONORED", "EMULATED", "NOT_USABLE"])),
  usageReported: optional(z.boolean()),
  priceKnown: z.boolean(),
  problems: z.array(z.object({ check: z.string(), message: z.string() })),
});

const budget = optional(z.object({ money: amount, tokens: optional(z.int()) }));
const spent = z.object({
  money: z.number(),
  tokens: z.int(),
  endsAt: dt,
  uncertainMoney: z.number(),
  uncertainTokens: z.int(),
  estimatedMoney: z.number(),
  estimatedTokens: z.int(),
});

const retained = z.object({ days: optional(z.int()), since: optional(dt) });

export const evaluationSettings = z.object({
  defaultConnectionId: optional(z.string()),
  votes: z.int(),
  monitoring: z.object({ sampleRate: z.number() }),
  kappaFloor: z.number(),
  testTimeoutMs: optional(z.int()),
  budgets: z.object({ day: budget, month: budget }),
  spent: z.object({ day: spent, month: spent, uncertainShare: z.number() }),
  retention: z.object({ traces: retained, results: retained }),
});

export const definitionTrial = z.object({
  status: z.enum(["COMPLETED", "FAILED", "SKIPPED"]),
  score: amount,
  passed: optional(z.boolean()),
  message: optional(z.string()),
  results: optional(z.record(z.string(), z.unknown())),
  judgeVersion: optional(z.string()),
  modelConnectionId: optional(z.string()),
  model: optional(z.string()),
  inputTokens: optional(z.int()),
  outputTokens: optional(z.int()),
  costMicro: optional(z.int()),
  durationMs: optional(z.int()),
  uncertainCostMicro: optional(z.int()),
  estimatedTokens: optional(z.int()),
});
