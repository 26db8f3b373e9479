// Operations with binary bodies, such as forms, exports and attachments: the same bytes have the same effect over REST and gRPC.

import { createHash } from "node:crypto";
import { create, type DescMethodUnary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { buildPdf, buildUpload, buildXlsx } from "@ems/test-support/upload-files";
import { beforeAll, expect, inject, test } from "vitest";
import type { TestTenant } from "../../harness/tenant.ts";
import { byGrpc, type Outcome, outcomeOfRest } from "./ports.ts";
import { TenantPair } from "./tenant-pair.ts";

const { baseUrl, grpcUrl } = inject("product");
const transport = createGrpcTransport({ baseUrl: grpcUrl });
let tenants: TenantPair;
beforeAll(async () => {
  tenants = await TenantPair.create();
});

interface Bytes {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

async function restBytes(tenant: TestTenant, path: string, { payload, contentType }: Bytes): Promise<Outcome> {
  const { apiKey, applicationId } = tenant;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": contentType };
  const answer = await fetch(baseUrl + path, { method: "POST", headers, body: payload });
  const text = await answer.text();
  return outcomeOfRest(answer, text === "" ? {} : JSON.parse(text));
}

async function areSame(path: string, method: DescMethodUnary, bytes: Bytes): Promise<Outcome> {
  const message = create(method.input, { ...bytes });
  const [rest, grpc] = await Promise.all([
    restBytes(tenants.first, path, bytes),
    byGrpc(transport, tenants.second, method, message, {}),
  ]);
  tenants.expectSame(rest, grpc);
  return grpc;
}

async function listsAreSame(path: string): Promise<number> {
  const [first, second] = await Promise.all([tenants.first.api.get(path), tenants.second.api.get(path)]);
  tenants.expectSame(first.body, second.body);
  return first.body.data.length;
}

const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>Free</t></is></c></row>`;
const garbage = new Uint8Array([0xff, 0, 0x80, 10, 0xfe]);

test.each<[name: string, isTaken: boolean, file: File, fields?: Record<string, string>]>([
  ["Markdown", true, new File(["# Fees\n\nNone."], "Fees.md")],
  ["CSV", true, new File(["a,b\n1,2"], "Rates.csv")],
  ["a PDF", true, new File([buildPdf(["An account costs nothing."])], "Terms.pdf")],
  ["a workbook", true, new File([buildXlsx({ One: cell })], "Cards.xlsx")],
  ["metadata", true, new File(["text"], "a.txt"), { metadata: '{"step": "parsed"}', documentType: "KNOWLEDGE" }],
  ["a type that is not read", false, new File(["text"], "a.exe")],
  ["a PDF that is none", false, new File([garbage], "a.pdf")],
  ["a workbook that is none", false, new File([garbage], "a.xlsx")],
  ["text that is no UTF-8", false, new File([garbage], "a.md")],
  ["nothing", false, new File([], "a.md")],
  ["fields that are wrong", false, new File(["text"], "a.md"), { documentType: "FACTS", topicId: "1", more: "x" }],
])("an upload of %s", async (_, isTaken, file, fields) => {
  const bytes = await buildUpload(file, fields);
  const { isSuccess } = await areSame("/v0/documents/upload", DocumentService.method.uploadDocuments, bytes);
  expect(isSuccess).toBe(isTaken);
});

test("a form without a file, and one that breaks off", async () => {
  const { payload, contentType } = await buildUpload(new File(["text"], "a.md"));
  for (const part of [payload.slice(0, 40), payload.slice(0, payload.length - 8), new Uint8Array()]) {
    const outcome = await areSame("/v0/documents/upload", DocumentService.method.uploadDocuments, {
      payload: part,
      contentType,
    });
    expect(outcome.isSuccess).toBe(false);
  }
  expect(await listsAreSame("/v0/documents?documentStatus=DRAFT")).toBe(5);
});

const json = (value: unknown): Bytes => ({
  payload: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
  contentType: "application/json",
});
const span = {
  traceId: "5b8efff798038103d269b633813fc60c",
  spanId: "eee19b7ec3c1b174",
  name: "answer",
  startTimeUnixNano: "1764000000000000000",
  endTimeUnixNano: "1764000001000000000",
  attributes: [{ key: "openinference.span.kind", value: { stringValue: "CHAIN" } }],
};
const spans = (...listed: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: listed }] }] });

test.each<[name: string, body: unknown]>([
  ["a span", spans(span)],
  ["the same again", spans(span)],
  ["a span without an id, beside a valid one", spans({ ...span, spanId: "" }, { ...span, spanId: "aaaaaaaaaaaaaaaa" })],
  ["no spans", {}],
  ["JSON that breaks off", '{"resourceSpans": ['],
  ["a list", []],
  ["a text where a list belongs", { resourceSpans: "none" }],
])("traces as JSON: %s", async (_, body) => {
  await areSame("/v1/traces", OtlpService.method.exportTraces, json(body));
});

test("JSON that is nested 200 times is refused by the same words; over gRPC the field is the bytes", async () => {
  const bytes = json(`${"[".repeat(200)}${"]".repeat(200)}`);
  const rest = await restBytes(tenants.first, "/v1/traces", bytes);
  const message = create(OtlpService.method.exportTraces.input, { ...bytes });
  const grpc = await byGrpc(transport, tenants.second, OtlpService.method.exportTraces, message, {});
  expect([rest.status, grpc.status]).toEqual([400, 400]);
  const getIssue = ({ body }: Outcome) => (body as { issues: { message: string; path: string[] }[] }).issues[0];
  expect([getIssue(grpc)?.message, getIssue(grpc)?.path]).toEqual([getIssue(rest)?.message, ["payload"]]);
});

test.each([
  ["logs", OtlpService.method.exportLogs],
  ["metrics", OtlpService.method.exportMetrics],
] as const)("%s as JSON: none, and what breaks off", async (kind, method) => {
  for (const body of [{}, "{", "[]"]) await areSame(`/v1/${kind}`, method, json(body));
});

test("spans in protobuf over either port are the same traces", async () => {
  const request = create(ExportTraceServiceRequestSchema, {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: Buffer.from("6b8efff798038103d269b633813fc60d", "hex"),
                spanId: Buffer.from("eee19b7ec3c1b175", "hex"),
                name: "search",
                startTimeUnixNano: 1764000000000000000n,
                endTimeUnixNano: 1764000001000000000n,
              },
            ],
          },
        ],
      },
    ],
  });
  const payload = new Uint8Array(toBinary(ExportTraceServiceRequestSchema, request));
  const contentType = "application/x-protobuf";
  const { apiKey, applicationId } = tenants.first;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": contentType };
  const rest = await fetch(`${baseUrl}/v1/traces`, { method: "POST", headers, body: payload });
  const message = create(OtlpService.method.exportTraces.input, { payload, contentType });
  const grpc = await byGrpc(transport, tenants.second, OtlpService.method.exportTraces, message, {});
  expect([rest.status, await rest.text(), grpc.isSuccess, grpc.body]).toEqual([200, "", true, {}]);
  await expect.poll(() => listsAreSame("/v0/traces")).toBe(2);
});

test("an attachment has the same bytes and type over either port, and the same errors", async () => {
  const content = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
  const hash = createHash("sha256").update(content).digest("hex");
  const input = [
    { role: "user", content: [{ type: "blob", mime_type: "image/png", content: content.toString("base64") }] },
  ];
  const events = [{ type: "llm", event: "start", modelId: "m", input }];
  const { body } = await tenants.first.api.post("/v0/ingest", { events });
  const [{ id }] = body.data;
  const { apiKey, applicationId } = tenants.first;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const read = (digits: string) => fetch(`${baseUrl}/v0/traces/${id}/attachments/${digits}`, { headers });
  const client = createClient(TraceService, transport);
  const answered = await read(hash);
  const message = await client.getTraceAttachment({ id, hash }, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(message.contentType).toBe(answered.headers.get("content-type"));
  expect(Buffer.from(message.payload)).toEqual(Buffer.from(await answered.arrayBuffer()));
  for (const digits of ["0".repeat(64), "abc"]) {
    const answer = await read(digits);
    const rest = outcomeOfRest(answer, JSON.parse(await answer.text()));
    const wrong = create(TraceService.method.getTraceAttachment.input, { id, hash: digits });
    const grpc = await byGrpc(transport, tenants.first, TraceService.method.getTraceAttachment, wrong, {});
    expect(grpc).toEqual(rest);
  }
});

test("an export has the same lines over either port", async () => {
  const { apiKey, applicationId } = tenants.first;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const options = { headers: { authorization: `Bearer ${apiKey}` } };
  // Cursors contain the time of the export.
  const parse = (lines: string) =>
    lines
      .split("\n")
      .slice(0, -1)
      .map((line) => ({ ...JSON.parse(line), cursor: "" }));
  const pages = [
    ["/v0/traces/export", await createClient(TraceService, transport).downloadTraces({}, options)],
    ["/v0/tests/export", await createClient(TestService, transport).downloadTests({}, options)],
  ] as const;
  for (const [path, { payload }] of pages) {
    const answered = await fetch(baseUrl + path, { headers });
    expect(parse(Buffer.from(payload).toString())).toEqual(parse(await answered.text()));
  }
  expect(pages[0][1].payload.byteLength).toBeGreaterThan(0);
});
