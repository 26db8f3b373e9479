import { z } from "zod";
import { coreTag, dt, evalDefinition, linkConfig, map, metrics, optional, tag } from "./shared.ts";

export const styleGuide = z.object({
  id: z.string(),
  applicationId: z.string(),
  content: z.array(z.object({ approved: z.boolean(), content: z.string(), heading: z.string() })),
  createdAt: dt,
  modifiedAt: dt,
  orgId: z.string(),
});

export const fact = z.object({
  id: z.string(),
  applicationId: z.string(),
  createdAt: dt,
  generatedBy: optional(z.string()),
  isVerified: z.boolean(),
  modifiedAt: dt,
  orgId: z.string(),
  quickstartId: optional(z.string()),
  scope: z.enum(["TOPIC", "APPLICATION"]),
  sourceDocumentId: optional(z.string()),
  sourceQuote: optional(z.string()),
  statement: z.string(),
  status: z.enum(["DRAFT", "ACTIVE"]),
  topicIds: z.array(z.string()),
  topics: z.array(z.object({ id: z.string(), title: z.string() })),
});

export const topic = z.object({
  id: z.string(),
  applicationId: z.string(),
  baseline: z.number().nullable(),
  createdAt: dt,
  isDocumentsVerified: z.boolean(),
  isInScope: z.boolean(),
  isKnowledgeBaseVerified: z.boolean(),
  isPoliciesVerified: z.boolean(),
  isTasksVerified: z.boolean(),
  modifiedAt: dt,
  orgId: z.string(),
  status: z.enum(["DRAFT", "ACTIVE", "ARCHIVED"]),
  title: z.string(),
  assignedTo: optional(z.string()),
  assignedUser: optional(
    z.object({ id: z.string(), email: z.string(), name: z.string(), image: optional(z.string()) }),
  ),
  documentCount: optional(z.int()),
  taskCount: optional(z.int()),
  evalDefinitions: optional(z.array(z.object({ evalDefinition, topicId: z.string(), config: optional(linkConfig) }))),
});

export const taskSchedule = z.object({
  applicationId: z.string(),
  criticality: z.enum(["LOW", "MEDIUM", "HIGH"]),
  cron: z.string(),
  taskId: z.string(),
  lastRunAt: optional(dt),
  nextRunAt: optional(dt),
});

const breakdown = z.array(z.object({ evalDefinitionId: z.string(), evalDefinitionName: z.string(), metrics }));

const example = z.object({
  input: z.string(),
  expected: optional(z.union([z.string(), z.array(z.string())])),
  metadata: optional(map),
});

const taskCore = z.object({
  id: z.string(),
  createdAt: dt,
  description: z.string(),
  examples: z.array(example),
  inputExamples: z.array(z.string()),
  isVerified: z.boolean(),
  metadata: map,
  modifiedAt: dt,
  monitoringPassRate: z.number().nullable(),
  passRate: z.number().nullable(),
  status: z.enum(["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"]),
  title: z.string(),
  type: z.enum(["STATIC", "NORMAL"]),
  breakdown: optional(z.object({ monitoring: breakdown, synthetic: breakdown })),
  lastTest: optional(dt),
  parentId: optional(z.string()),
  simulatedPromptSchema: optional(map),
  taskSchedule: optional(taskSchedule),
  topicId: optional(z.string()),
  traceId: optional(z.string()),
});

const linked = z.array(z.object({ evalDefinition, config: optional(linkConfig) }));

export const changedTask = z.object({
  ...taskCore.shape,
  evalDefinitions: linked,
  monitoring: optional(metrics),
  synthetic: optional(metrics),
});

export const retrievedTask = z.object({
  ...taskCore.shape,
  evalDefinitions: linked,
  monitoring: metrics,
  synthetic: metrics,
});

export const listedTask = z.object({
  ...taskCore.shape,
  evalDefinitions: z.array(evalDefinition),
  monitoring: metrics,
  synthetic: metrics,
  combined: metrics,
  tags: z.array(coreTag),
});

export const tagList = z.object({ data: z.array(tag) });
