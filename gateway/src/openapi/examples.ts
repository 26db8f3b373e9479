// Examples that look like the real thing and are the same at every start: from a table of field names, and where that
// says nothing from the schema itself.

import { hash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Components } from "./components.ts";

const styleGuide = [{ heading: "Tone of voice", content: "Polite and short. No jargon.", approved: true }];

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
  reason: "Document not found",
  scrapeJobId: null,
  search: "account",
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
  "UserReference.id": "user-4821",
  "UserReference.name": "Ana Duarte",
  "Analytics.host": "https://analytics.example.com",
  "Analytics.key": "public-client-key",
  "Analytics.cloudIdentifier": "example-cloud",
  "CreateApplicationRequest.title": "Bank assistant",
  "CreateApplicationRequest.description": "Answers customers' questions about accounts and cards.",
  email: "ana.duarte@example.com",
  image: "https://example.com/people/ana-duarte.png",
};

/** The id of the same thing is the same everywhere: `id` of a Topic and `topicId` of whatever names it. */
export function exampleId(field: string, owner = ""): string {
  const noun = field === "id" ? owner : field.replace(/Ids?$/, "");
  const digits = hash("sha256", noun.charAt(0).toLowerCase() + noun.slice(1));
  return `019a7d3c-${digits.slice(0, 4)}-7${digits.slice(4, 7)}-9${digits.slice(7, 10)}-${digits.slice(10, 22)}`;
}

/** An example of a parameter in the path of a `noun`'s route: an id of ours, or what a table says of the name. */
export function parameterExample(field: string, noun: string, isId: boolean): JsonValue {
  return isId ? exampleId(field, noun) : (known[`${noun}.${field}`] ?? known[field] ?? field);
}

/** An example of the component that `schema` refers to. */
export function exampleOf(schema: JsonObject, components: Components): JsonValue {
  return sampleOf(schema, { field: "", owner: "", within: [], components });
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
