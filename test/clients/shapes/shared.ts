// Types of answers, written by hand from the published page of companion operations, not from the product's contract.

import { z } from "zod";

/** Time in ISO 8601, with a zone. */
export const dt = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
export const map = z.record(z.string(), z.unknown());
/** `name?: T` of the page: may be absent or null in answers. */
export const optional = <T extends z.ZodType>(type: T) => type.nullish();

const int = z.int();

export const getPage = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    pagination: z.object({ skip: int, limit: int, total: int, totalPages: int, totalCount: int }),
  });

export const data = <T extends z.ZodType>(type: T) => z.object({ data: type });

export const application = z.object({
  id: z.string(),
  context: z.string(),
  createdAt: dt,
  description: z.string(),
  environment: z.enum(["DEV", "PROD"]),
  humanAnnotationEnabled: z.boolean(),
  language: z.enum(["da", "de", "en", "es", "fr", "it", "nl", "pt", "sv"]),
  modifiedAt: dt,
  orgId: z.string(),
  slug: z.string(),
  title: z.string(),
  type: z.enum(["CHATBOT", "AGENT"]),
});

const extract = z.object({ pattern: z.string(), flags: z.string(), group: z.union([int, z.array(int)]) });
const matchMode = z.enum(["exact_unordered", "contains"]);
const scoreMetric = z.enum(["f1", "precision", "recall"]);

export const globalConfig = z.union([
  z.object({ criterion: z.string() }),
  z.object({ type: z.literal("string"), extract: optional(extract) }),
  z.object({
    type: z.literal("list"),
    matchMode,
    extract: optional(extract),
    passThreshold: optional(z.number()),
    scoreMetric: optional(scoreMetric),
  }),
  z.object({ groundTruth: z.string() }),
]);

export const evalDefinition = z.object({
  id: z.string(),
  createdAt: dt,
  modifiedAt: dt,
  name: z.string(),
  type: z.enum(["NATURALNESS", "STYLE", "RECALL", "CUSTOM", "OUTPUT_MATCH", "FACT"]),
  application: optional(application),
  globalConfig: optional(globalConfig),
  styleGuideId: optional(z.string()),
  topics: optional(z.array(z.string())),
});

export const linkConfig = z.object({ expected: z.union([z.string(), z.array(z.string())]) });

export const coreTag = z.object({ id: z.string(), color: z.string(), name: z.string() });

export const tag = z.object({
  ...coreTag.shape,
  applicationId: z.string(),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  createdAt: dt,
  modifiedAt: dt,
  orgId: z.string(),
  status: z.enum(["ACTIVE", "ARCHIVED"]),
  description: optional(z.string()),
});

const recallPart = <T extends z.ZodType>(metadata: T) =>
  z.object({ name: z.string(), score: z.number(), error: optional(z.string()), metadata: optional(metadata) });
const faithfulness = z.object({
  statements: z.array(z.string()),
  faithfulness: z.array(
    z.object({
      reason: z.string(),
      statement: z.string(),
      verdict: int,
      classification: optional(z.enum(["UNSUPPORTED_CLAIM", "CONTRADICTION", "PARTIAL_HALLUCINATION", "SCOPE_DRIFT"])),
    }),
  ),
});

export const evalResults = z.union([
  z.object({
    analysis: z.string(),
    clarity: z.number(),
    coherence: z.number(),
    engagingness: z.number(),
    naturalness: z.number(),
    relevance: z.number(),
  }),
  z.object({ analysis: z.string(), score: z.number() }),
  z.object({
    AnswerRelevancy: recallPart(
      z.object({
        questions: z.array(z.object({ question: z.string() })),
        similarity: z.array(z.object({ question: z.string(), score: z.number() })),
      }),
    ),
    ContextPrecision: recallPart(z.object({ reason: z.string(), verdict: int })),
    ContextRelevancy: recallPart(
      z.object({ relevantSentences: z.array(z.object({ reasons: z.array(z.string()), sentence: z.string() })) }),
    ),
    Faithfulness: recallPart(faithfulness),
  }),
  z.object({
    name: z.string(),
    score: int,
    error: optional(z.string()),
    metadata: optional(z.object({ rationale: z.string(), choice: optional(z.enum(["Y", "N"])) })),
  }),
  z.object({
    score: z.number(),
    classification: z.object({ TP: z.array(z.string()), FP: z.array(z.string()), FN: z.array(z.string()) }),
    precision: optional(z.number()),
    recall: optional(z.number()),
  }),
  z.object({
    reason: z.string(),
    score: z.number(),
    expected: optional(z.string()),
    expectedList: optional(z.array(z.string())),
    got: optional(z.string()),
    gotList: optional(z.array(z.string())),
    matchMode: optional(matchMode),
    scoreMetric: optional(scoreMetric),
    f1: optional(z.number()),
    precision: optional(z.number()),
    recall: optional(z.number()),
    tp: optional(z.number()),
    missing: optional(z.array(z.object({ have: z.number(), need: z.number(), value: z.string() }))),
  }),
]);

export const evaluation = z.object({
  id: z.string(),
  createdAt: dt,
  definition: evalDefinition,
  modifiedAt: dt,
  orgId: z.string(),
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED"]),
  message: optional(z.string()),
  passed: optional(z.boolean()),
  results: optional(evalResults),
  score: optional(z.number()),
});

export const testResult = z.object({
  averageScore: z.number(),
  failed: int,
  passed: int,
  passRate: z.number(),
  total: int,
});

export const runType = z.enum(["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"]);

const level = z.enum(["HIGH", "MEDIUM", "LOW"]);

export const metrics = z.object({
  confidence: z.object({
    halfWidth: z.number(),
    interval: z.object({ lower: z.number(), upper: z.number() }),
    level,
  }),
  evaluations: int,
  healthScore: z.number().nullable(),
  passed: int,
  passRate: z.number().nullable(),
  recommendedAdditionalEvaluations: int,
  stability: z.object({ level, stddev: optional(z.number()) }),
  tests: int,
  testsPassed: int,
});
