// Examples that look like the real thing and are the same at every start: from a table of field names, and where that
// says nothing from the schema itself.

import { hash } from "node:crypto";
import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Components } from "./named-schemas.ts";
import { reportingExamples } from "./reporting-examples.ts";

const styleGuide = [{ heading: "Tone of voice", content: "Polite and short. No jargon.", approved: true }];

/** An event as receivers get it, without most of the topic. */
const topicCreated = {
  id: exampleId("deliveryId"),
  type: "topic.created",
  timestamp: "2026-03-02T09:30:00.000Z",
  applicationId: exampleId("applicationId"),
  orgId: exampleId("orgId"),
  data: { id: exampleId("topicId"), title: "Opening an account", status: "ACTIVE" },
};

/** By name of a field, or by `Component.field` where the name alone does not tell. */
const known: Readonly<Record<string, JsonValue>> = {
  title: "Opening an account",
  description: "What customers ask before they become customers.",
  name: "Nightly evaluation",
  key: `ems_${"Example".repeat(7)}`,
  slug: "bank-assistant",
  context: "A retail bank with branches in three countries.",
  language: "en-GB",
  baseline: 0.8,
  criterion: "The answer is polite and free of jargon.",
  expected: "Names the documents that a new customer has to bring.",
  orgId: exampleId("orgId"),
  assignedTo: "user-4821",
  assignee: "user-4821",
  modifiedAt: "2026-03-02T10:15:00.000Z",
  skip: 0,
  limit: 25,
  total: 1,
  totalPages: 1,
  totalCount: 1,
  taskCount: 12,
  documentCount: 3,
  content: "An account costs nothing for the first two years.",
  originalSentences: ["An account costs nothing for the first two years."],
  "FailedDocument.reason": "Document not found",
  scrapeJobId: null,
  versionNumber: 1,
  "UpdateDocumentStatusResponse.success": [exampleId("documentId")],
  "FailedDocument.id": exampleId("goneId"),
  "ActiveDocument.id": exampleId("documentId"),
  "Application.title": "Bank assistant",
  "Application.description": "Answers customers' questions about accounts and cards.",
  "EvalDefinitionType.type": "STYLE",
  "EvalDefinition.name": "Follows the style guide",
  "CreateDefinitionRequest.name": "Follows the style guide",
  "UpdateDefinitionRequest.name": "Follows the style guide",
  "UpdateDefinitionRequest.styleGuideId": exampleId("styleGuideId"),
  "StyleGuide.content": styleGuide,
  "CreateStyleGuideRequest.content": styleGuide,
  "UpdateStyleGuideRequest.content": styleGuide,
  "EvalDefinition.topics": [exampleId("topicId")],
  "User.id": "user-4821",
  "User.name": "Ana Duarte",
  "Experiment.title": "Shorter prompts",
  "Experiment.description": "Whether answers stay as good with half of the instructions.",
  "CreateExperimentRequest.title": "Shorter prompts",
  "CreateExperimentRequest.description": "Whether answers stay as good with half of the instructions.",
  "UpdateExperimentRequest.title": "Shorter prompts",
  "UpdateExperimentRequest.description": "Whether answers stay as good with half of the instructions.",
  "InferenceStep.title": "Find passages",
  "InferenceStep.description": "Looks up the five passages that are nearest to the question.",
  "CreateInferenceStepRequest.title": "Find passages",
  "CreateInferenceStepRequest.description": "Looks up the five passages that are nearest to the question.",
  externalId: "find-passages",
  "Quickstart.title": "Accounts and cards",
  "Quickstart.description": "The first topics that the assistant is to handle.",
  "CreateQuickstartRequest.title": "Accounts and cards",
  "CreateQuickstartRequest.description": "The first topics that the assistant is to handle.",
  reason: "One document knows a fee that the other rules out.",
  passageA: "The account is free of charge.",
  passageB: "The account costs 5 euros a month.",
  count: 1,
  "UserReference.id": "user-4821",
  "UserReference.name": "Ana Duarte",
  "Analytics.host": "https://analytics.example.com",
  "Analytics.key": "public-client-key",
  "Analytics.cloudIdentifier": "example-cloud",
  "CreateApplicationRequest.title": "Bank assistant",
  "CreateApplicationRequest.description": "Answers customers' questions about accounts and cards.",
  prompts: ["My card was stolen. What do I do first?", "And how do I get a new one?"],
  color: "#3B82F6",
  search: "card",
  "Task.title": "Block a stolen card",
  "Task.description": "The customer's card was stolen abroad.",
  "TaskType.type": "STATIC",
  "TaskStatus.status": "ACTIVE",
  "CreateTaskRequest.title": "Block a stolen card",
  "CreateTaskRequest.description": "The customer's card was stolen abroad.",
  "CreateTaskRequest.status": "ACTIVE",
  "UpdateTaskRequest.title": "Block a stolen card",
  "UpdateTaskRequest.description": "The customer's card was stolen abroad.",
  "UpdateTaskRequest.topicId": exampleId("topicId"),
  "UpdateTaskRequest.status": "ACTIVE",
  "CreateTagRequest.name": "regression",
  "CreateTagRequest.description": "Went wrong once and must not again.",
  "UpdateTagRequest.name": "regression",
  "UpdateTagRequest.description": "Went wrong once and must not again.",
  "Tag.name": "regression",
  "Tag.description": "Went wrong once and must not again.",
  traceId: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
  durationMs: 840.5,
  score: 0.85,
  evaluationCount: 1,
  "Run.title": "Nightly evaluation",
  "NewRun.title": "Nightly evaluation",
  "RunType.type": "SCHEDULED",
  "RunType.runType": "SCHEDULED",
  "ResultStatus.status": "COMPLETED",
  "Test.durationMs": 840,
  "TestSummary.durationMs": 840,
  "NewTest.durationMs": 840,
  input: { messages: [{ role: "user", content: "How do I open an account?" }] },
  output: { content: "Bring your passport to any branch." },
  "TraceTokens.input": 128,
  "TraceTokens.output": 32,
  "IngestTokens.input": 128,
  "IngestTokens.output": 32,
  "Trace.type": "llm",
  "Trace.event": "start",
  "TraceSummary.type": "llm",
  "TraceSummary.event": "start",
  "TraceStep.type": "llm",
  "TraceStep.event": "start",
  "IngestEventsRequest.events": [
    {
      type: "trace",
      traceId: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
      steps: [{ type: "llm", name: "answer", input: "How do I open an account?", tokens: { input: 128, output: 32 } }],
    },
    { type: "log", traceId: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", name: "feedback", output: { thumbs: "up" } },
  ],
  "IngestResult.error": null,
  "IngestOtelTracesRequest.payload": {
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "bank-assistant" } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
                spanId: "00f067aa0ba902b7",
                name: "chat example-model",
                startTimeUnixNano: "1772443800000000000",
                endTimeUnixNano: "1772443800840500000",
                attributes: [
                  { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
                  { key: "gen_ai.usage.input_tokens", value: { intValue: "128" } },
                  { key: "gen_ai.usage.output_tokens", value: { intValue: "32" } },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  ...reportingExamples,
  "Webhook.url": "https://receiver.example.com/events",
  "WebhookChanged.url": "https://receiver.example.com/events",
  headerNames: ["authorization"],
  "SetWebhookRequest.url": "https://receiver.example.com/events",
  webhookSecret: `whsec_${"Example+Example/".repeat(3).slice(0, 43)}=`,
  headers: { authorization: "Bearer receivers-own-token" },
  disabledAt: null,
  disabledReason: null,
  "Delivery.type": "topic.created",
  "DeliveryStatus.status": "DELIVERED",
  "Delivery.nextAttemptAt": null,
  "Delivery.lastOutcome": "DELIVERED",
  lastStatusCode: 204,
  statusCode: 204,
  "TestWebhookResponse.error": null,
  "DeliveryAttempt.durationMs": 84,
  "DeliveryAttempt.outcome": "DELIVERED",
  "DeliveryAttempt.responseBody": "",
  remoteAddress: "203.0.113.10",
  event: topicCreated,
  signature: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  "ValidateWebhookRequest.timestamp": "1772443800",
  "ValidateWebhookRequest.body": topicCreated,
  since: "2026-03-01T00:00:00.000Z",
  feedback: "The list of topics could be sorted by pass rate.",
  email: "ana.duarte@example.com",
  image: "https://example.com/people/ana-duarte.png",
};

/** The id of the same thing is the same everywhere: `id` of a Topic and `topicId` of whatever names it. */
function exampleId(field: string, owner = ""): string {
  const noun = field === "id" ? owner : field.replace(/Ids?$/, "");
  const digits = hash("sha256", noun.charAt(0).toLowerCase() + noun.slice(1));
  return `019a7d3c-${digits.slice(0, 4)}-7${digits.slice(4, 7)}-9${digits.slice(7, 10)}-${digits.slice(10, 22)}`;
}

/** An example of a parameter in the path of a `noun`'s route: an id of ours, or what a table says of the name. */
export function parameterExample(field: string, noun: string, isId: boolean): JsonValue {
  return isId ? exampleId(field, noun) : (known[`${noun}.${field}`] ?? known[field] ?? field);
}

/** An example of what `schema` describes: a component, or the value of `field`. */
export function exampleOf(schema: JsonObject, components: Components, field?: DescField): JsonValue {
  return sampleOf(schema, { field: field?.jsonName ?? "", owner: field?.parent.name ?? "", within: [], components });
}

interface Place {
  readonly field: string;
  /** The component that the field is of. */
  readonly owner: string;
  /** The components that lie around it: a message that holds itself is not told twice. */
  readonly within: readonly string[];
  readonly components: Components;
}

function sampleOf(schema: JsonObject, place: Place): JsonValue {
  const { $ref, anyOf, enum: values, items } = schema;
  const { field, owner, within, components } = place;
  if (typeof $ref === "string") {
    const { name, schema: meant } = components.resolve($ref);
    return within.includes(name) ? null : sampleOf(meant, { ...place, owner: name, within: [...within, name] });
  }
  if (Array.isArray(anyOf)) return isSchema(anyOf[0]) ? sampleOf(anyOf[0], place) : null;
  const told = known[`${owner}.${field}`] ?? known[field];
  if (told !== undefined) return told;
  if (Array.isArray(values)) return values[0] ?? null;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return objectOf(schema, place);
    case "array":
      return isSchema(items) ? [sampleOf(items, place)].filter((item) => item !== null) : [];
    case "string":
      return textOf(schema, field, owner);
    case "boolean":
      return true;
    case "integer":
    case "number":
      return typeof schema.minimum === "number" && schema.minimum > 0 ? schema.minimum : 1;
    default:
      return null;
  }
}

function objectOf({ properties }: JsonObject, place: Place): JsonObject {
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(
    fields.map(([field, schema]) => [field, isSchema(schema) ? sampleOf(schema, { ...place, field }) : null]),
  );
}

function textOf({ format }: JsonObject, field: string, owner: string): string {
  switch (format) {
    case "uuid":
      return exampleId(field, owner);
    case "date-time":
      return "2026-03-02T09:30:00.000Z";
    case "uri":
      return "https://example.com/";
    case "email":
      return "ana.duarte@example.com";
    default:
      return field.replace(/([A-Z])/g, " $1").toLowerCase();
  }
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
