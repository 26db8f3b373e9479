import { z } from "zod";
import { coreTag, dt, map, optional } from "./shared.ts";

const type = z.enum(["KNOWLEDGE", "POLICY"]);

export const documentVersion = z.object({
  id: z.string(),
  applicationId: z.string(),
  content: z.string(),
  createdAt: dt,
  documentId: z.string(),
  language: z.string(),
  metadata: map,
  modifiedAt: dt,
  orgId: z.string(),
  originalSentences: z.array(z.string()),
  status: z.enum(["DRAFT", "REVIEW", "APPROVED", "ARCHIVED", "ACTIVE"]),
  title: z.string(),
  type,
  versionNumber: z.int(),
});

const scrapeJob = z.object({
  id: z.string(),
  applicationId: z.string(),
  createdAt: dt,
  initiatedBy: z.string(),
  modifiedAt: dt,
  name: z.string(),
  orgId: z.string(),
  quickstartStatus: z.enum(["PROCESSING", "REVIEW", "COMPLETED", "NOT_ASSOCIATED"]),
  status: z.enum(["MAPPING", "PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"]),
  url: z.string(),
});

export const documentBase = z.object({
  id: z.string(),
  applicationId: z.string(),
  createdAt: dt,
  isVerified: z.boolean(),
  modifiedAt: dt,
  optimized: z.boolean(),
  orgId: z.string(),
  status: z.enum(["DRAFT", "ACTIVE"]),
  type,
  // Optional on the page, but never null in answers: the default is the key's user.
  assignee: z.string(),
  fileProcessingId: optional(z.string()),
  scrapeJob: optional(scrapeJob),
  scrapeJobId: optional(z.string()),
  topicId: optional(z.string()),
});

export const document = z.object({
  ...documentBase.shape,
  title: z.string(),
  content: z.string(),
  versions: z.array(documentVersion),
});

export const listedDocument = z.object({ ...document.shape, tags: z.array(coreTag) });
