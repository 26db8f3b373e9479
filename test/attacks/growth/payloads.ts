// Attacks on what the document leaves free: attributes of OpenTelemetry, JSON in texts, formats of imports.

import type { AttackClient, RawRequest } from "./client.ts";
import type { Trial } from "./screening.ts";
import { bytesPerCharacter, makeText, type TextKind, textKinds } from "./texts.ts";

const bytesMax = { span: 2_000_000, import: 950_000 };

/** Attributes that instrumentations write, most of them with JSON in text. */
const attributes = [
  ...[
    "gen_ai.prompt",
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.tool.definitions",
    "gen_ai.request.model",
  ],
  ...["input.value", "output.value", "metadata", "llm.input_messages.0.message.content", "llm.invocation_parameters"],
  ...["tag.tags", "session.id", "user.id", "openinference.span.kind", "traceloop.entity.input", "ai.prompt.messages"],
  ...["retrieval.documents.0.document.metadata", "tool.parameters", "exception.stacktrace", "anything.else"],
];

/** Prefixes of names that a sender may continue with any text. */
const families = ["llm.input_messages.0.", "gen_ai.prompt.0.", "retrieval.documents."];

const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: Math.floor(count) }, (_, i) => make(i));

interface Payload {
  readonly operation: string;
  readonly field: string;
  readonly kind: string;
  readonly sizeMax: number;
  readonly isLimited?: boolean;
  body(size: number, salt: number): object;
}

export function payloadTrials(client: AttackClient, credentials: Readonly<Record<string, string>>): Trial[] {
  return [...spanPayloads(), ...importPayloads()].map(({ operation, body, isLimited = true, ...named }) => ({
    ...named,
    operation,
    isLimited,
    work: (size, salt) => {
      const [method = "", path = ""] = operation.split(" ");
      const headers = { ...credentials };
      const request: RawRequest = { method, path, headers, body: JSON.stringify(body(size, salt)) };
      return async () => (await client.send(request)).status;
    },
  }));
}

function spanPayloads(): Payload[] {
  const operation = "POST /v0/otel/traces";
  const inSpan = (
    field: string,
    kind: string,
    sizeMax: number,
    span: (size: number, salt: number) => object,
  ): Payload => ({
    operation,
    field,
    kind,
    sizeMax,
    isLimited: false,
    body: (size, salt) => spans([span(size, salt)]),
  });
  const text = (key: string, kind: TextKind) =>
    inSpan(`attribute ${key}`, kind.name, Math.floor(bytesMax.span / bytesPerCharacter(kind)), (size, salt) => ({
      attributes: [attribute(key, makeText(kind, size, salt))],
    }));
  return [
    ...attributes.flatMap((key) => textKinds.map((kind) => text(key, kind))),
    ...["", ...families].flatMap((family) =>
      textKinds.map((kind) =>
        inSpan(`name ${family}…`, kind.name, Math.floor(bytesMax.span / bytesPerCharacter(kind)), (size, salt) => ({
          attributes: [attribute(`${family}${makeText(kind, size, salt)}`, "a")],
        })),
      ),
    ),
    inSpan("attributes", "distinct keys", 20_000, (size) => ({
      attributes: numbered(size, (index) => attribute(`key.${index}`, "a")),
    })),
    inSpan("attributes", "equal keys", 20_000, (size) => ({
      attributes: numbered(size, () => attribute("metadata", "a")),
    })),
    inSpan("attributes", "indexed messages", 20_000, (size) => ({
      attributes: numbered(size, (index) => attribute(`llm.input_messages.${index}.message.content`, "a")),
    })),
    inSpan("attributes", "far indexes", 2_000, (size) => ({
      attributes: numbered(size, (index) =>
        attribute(`llm.input_messages.${4_000_000_000 - index}.message.content`, "a"),
      ),
    })),
    inSpan("attributes", "deep keys", 40_000, (size) => ({ attributes: [attribute("a.".repeat(size), "a")] })),
    ...["startTimeUnixNano", "traceId", "spanId", "name", "kind", "traceState"].flatMap((field) =>
      ["digits", "one letter"].map((name) =>
        inSpan(field, name, bytesMax.span, (size, salt) => ({
          [field]: makeText(findKind(name), size, salt).replace(/^[a-z](?=9)/, ""),
        })),
      ),
    ),
    inSpan("attribute of an integer", "digits", bytesMax.span, (size) => ({
      attributes: [{ key: "gen_ai.usage.input_tokens", value: { intValue: "9".repeat(size) } }],
    })),
    inSpan("events", "many", 20_000, (size) => ({
      events: numbered(size, (index) => ({ name: `event ${index}`, timeUnixNano: "1764000000000000000" })),
    })),
    inSpan("links", "many", 20_000, (size) => ({ links: numbered(size, () => ({ traceId, spanId: makeSpanId(1) })) })),
    {
      operation,
      field: "spans",
      kind: "a chain of parents",
      sizeMax: 8_000,
      body: (size, salt) =>
        spans(
          numbered(size, (index) => ({
            spanId: makeSpanId(index + 1),
            parentSpanId: makeSpanId(index),
            name: `s${salt}`,
          })),
        ),
    },
    {
      operation,
      field: "spans",
      kind: "of the same id",
      sizeMax: 8_000,
      body: (size, salt) => spans(numbered(size, (index) => ({ spanId: makeSpanId(7), name: `s${index} ${salt}` }))),
    },
  ];
}

const findKind = (name: string) => textKinds.find((kind) => kind.name === name) ?? { name, unit: "x" };
const traceId = "5b8efff798038103d269b633813fc60c";
const makeSpanId = (index: number) => (index + 0xeee19b7e).toString(16).padStart(16, "0");
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
let traces = 0;
const spans = (list: readonly object[]) => {
  // Each request has its own trace, so that no trace grows.
  const trace = (++traces).toString(16).padStart(32, "a");
  const times = { startTimeUnixNano: "1764000000000000000", endTimeUnixNano: "1764000001000000000" };
  const whole = list.map((span, index) => ({
    traceId: trace,
    spanId: makeSpanId(index + 1),
    name: "answer",
    ...times,
    ...span,
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans: whole }] }] };
};

function importPayloads(): Payload[] {
  const operation = "POST /v0/tasks/import";
  const imported = (
    format: string,
    kind: string,
    sizeMax: number,
    content: (size: number, salt: number) => string,
  ): Payload => ({
    operation,
    field: `content as ${format}`,
    kind,
    sizeMax,
    isLimited: false,
    body: (size, salt) => ({ dryRun: true, format, content: content(size, salt) }),
  });
  return [
    ...otherImports(operation),
    ...["CSV", "JSONL", "JSON", "YAML"].flatMap((format) => [
      ...textKinds.map((kind) =>
        imported(format, kind.name, Math.floor(bytesMax.import / bytesPerCharacter(kind)), (size, salt) =>
          makeText(kind, size, salt),
        ),
      ),
      imported(
        format,
        "columns of metadata",
        50_000,
        (size) => `title,${numbered(size, (index) => `metadata.${index}`).join(",")}\na,b`,
      ),
      imported(format, "rows", 10_000, (size) => `title\n${numbered(size, (index) => `"a${index}"`).join("\n")}`),
      imported(format, "lines of JSON", 10_000, (size) =>
        numbered(size, (index) => `{"title":"a${index}"}`).join("\n"),
      ),
      imported(
        format,
        "variables of promptfoo",
        10_000,
        (size) =>
          `prompts: ["${"{{a}}".repeat(size)}"]\nproviders: [x]\ntests: [{vars: {a: [${numbered(size, (index) => `b${index}`).join()}]}}]`,
      ),
    ]),
  ];
}

/** Mappings, and files to which a configuration refers. */
function otherImports(operation: string): Payload[] {
  const config = "providers: [x]\nprompts: ['{{q}}']\n";
  const imported = (kind: string, sizeMax: number, body: (size: number) => object): Payload => ({
    operation,
    field: "mapping and files",
    kind,
    sizeMax,
    isLimited: false,
    body: (size) => ({ dryRun: true, ...body(size) }),
  });
  return [
    imported("rows with a mapping of paths", 10_000, (size) => ({
      mapping: { "a.b.c": "prompt", "a.b.d": "metadata.d" },
      content: numbered(size, (at) => `{"a": {"b": {"c": "c${at}", "d": ${at}}}}`).join("\n"),
    })),
    imported("tests in files that name files", 10_000, (size) => ({
      content: `${config}tests: ["file://t/*.yaml"]\n`,
      files: {
        "t/a.yaml": numbered(size, (at) => `- vars: {q: "file://v.txt", n: ${at}}`).join("\n"),
        "v.txt": "value",
      },
    })),
    imported("references to a template", 10_000, (size) => ({
      content: `${config}assertionTemplates: {a: {type: contains, value: b}}\ntests:\n- vars: {q: a}\n  assert:\n${numbered(size, () => "  - $ref: '#/assertionTemplates/a'").join("\n")}`,
    })),
    imported("filters of a template", 20_000, (size) => ({
      content: `providers: [x]\nprompts: ["{{ q${" | trim".repeat(size)} }}"]\ntests: [{vars: {q: a}}]\n`,
    })),
    imported("a pattern of files", 400, (size) => ({
      content: `${config}tests: ["file://${"*a".repeat(Math.floor(size / 2))}.yaml"]\n`,
      files: { [`${"a".repeat(480)}.yaml`]: "- vars: {q: a}\n" },
    })),
  ];
}
