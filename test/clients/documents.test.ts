import { expect, test } from "vitest";
import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { from, many, type Operation, order, until } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { document, documentBase, documentVersion, listedDocument } from "./shapes/documents.ts";
import { getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const other = "00000000-0000-0000-0000-000000000000";
const newDocument = async () =>
  (await make(client, "POST", "/v0/documents", { title: "New", content: "Text" })).document.id as string;
const inFirstVersion = ({ document: { versions, ...rest } }: { document: { versions: object[] } }) => ({
  ...rest,
  ...versions[0],
});
const documentWithVersion = z.object({ document: documentBase, version: documentVersion });

const documents: Record<string, Operation> = {
  "documents.create": {
    method: "POST",
    path: () => "/v0/documents",
    status: 201,
    answer: z.object({ document }),
    required: () => ({ title: "Cards", content: "A card costs 5." }),
    optional: () => ({
      assignee: "user-1",
      language: "de",
      metadata: { step: "review", nested: { list: [1] } },
      originalSentences: ["A card costs 5."],
      status: "REVIEW",
      topicId: made.topic.id,
      type: "POLICY",
    }),
    echo: inFirstVersion,
  },
  "documents.retrieve": {
    method: "GET",
    path: () => `/v0/documents/${made.document.id}`,
    status: 200,
    answer: z.object({ document }),
  },
  "documents.list": {
    method: "GET",
    path: () => "/v0/documents",
    status: 200,
    answer: getPage(listedDocument),
    query: {
      orderBy: order("createdAt", "modifiedAt", "type", "assignee", "id"),
      assignee: { none: ["nobody"], matching: [made.document.assignee] },
      documentStatus: { matching: ["ACTIVE"], any: ["DRAFT"] },
      startDate: from,
      endDate: until,
      fileProcessingId: many({ none: [other] }),
      metadataStep: { matching: ["review"], none: ["nothing"] },
      quickstartId: { any: [made.quickstart.id] },
      scrapeJobId: many({ none: [other] }),
      search: { matching: ["fees", "TRANSFER"], none: ["nothing of this"] },
      status: many({ matching: ["APPROVED"], none: ["ARCHIVED"] }),
      tagId: many({ matching: [made.tag.id], none: [other] }),
      topicId: { matching: [made.topic.id], none: [made.emptyTopic.id] },
      type: { matching: ["KNOWLEDGE"], any: ["POLICY"] },
    },
  },
  "documents.activate": {
    method: "PUT",
    path: () => `/v0/documents/${made.document.id}/versions/1/activate`,
    status: 200,
    answer: z.object({ document, newActiveVersion: documentVersion }),
  },
  "documents.activate by POST": {
    method: "POST",
    path: () => `/v0/documents/${made.document.id}/versions/1/activate`,
    status: 200,
    answer: z.object({ document, newActiveVersion: documentVersion }),
  },
  "documents.versions.create": {
    method: "POST",
    path: async () => `/v0/documents/${await newDocument()}/versions`,
    status: 201,
    answer: documentWithVersion,
  },
  "documents.versions.retrieve": {
    method: "GET",
    path: () => `/v0/documents/${made.document.id}/versions/1`,
    status: 200,
    answer: documentWithVersion,
  },
  "documents.versions.update": {
    method: "PUT",
    path: async () => `/v0/documents/${await newDocument()}/versions/1`,
    status: 200,
    answer: documentWithVersion,
    required: () => ({ title: "Changed" }),
    optional: () => ({
      content: "Other text",
      language: "fr",
      metadata: { step: "done" },
      originalSentences: ["Other text"],
      status: "APPROVED",
    }),
    echo: ({ version }: { version: object }) => ({ ...version }),
  },
  "documents.versions.list": {
    method: "GET",
    path: () => `/v0/documents/${made.document.id}/versions`,
    status: 200,
    answer: z.object({ document: documentBase, versions: z.array(documentVersion).min(1) }),
  },
  "documents.chunked": {
    method: "GET",
    path: () => "/v0/documents/chunked",
    status: 200,
    answer: getPage(
      z.object({
        chunkIndex: z.int(),
        content: z.string(),
        documentId: z.string(),
        documentName: z.string(),
        title: z.string(),
        versionId: z.string(),
      }),
    ),
    query: {
      documentId: { matching: [made.document.id], none: [other] },
      versionId: { none: [other] },
      status: { matching: ["APPROVED"] },
    },
  },
};

tryOperations(client, documents);

test("a new document is the key's user's, and its first version has an empty map of metadata", async () => {
  const { document: created } = await make(client, "POST", "/v0/documents", { title: "New", content: "Text" });
  expect(created.assignee).toMatch(/./);
  expect(created.versions).toMatchObject([{ metadata: {}, versionNumber: 1, originalSentences: [] }]);
});

test("a version without a body copies the active version with the next number", async () => {
  const { version } = await make(client, "POST", `/v0/documents/${made.document.id}/versions`);
  expect(version).toMatchObject({ status: "DRAFT", content: "A transfer is free.", metadata: { step: "review" } });
  expect(version.versionNumber).toBeGreaterThan(1);
});
