// Rules for the headers of a webhook, as the API reports them to clients.

import { readValidated } from "@ems/kit/json/read-validated";
import { SetWebhookRequestSchema } from "@ems/proto/notifications/v1/webhook_service";
import { expect, test } from "vitest";
import { allowedHeaders } from "../deliveries/worker/signed-request.ts";

const url = "https://receiver.example.com/";
const read = (headers: unknown) => readValidated(SetWebhookRequestSchema, { url, headers });
const issues = (headers: unknown) => read(headers).issues.map(({ code, path }) => `${code} ${path.join(".")}`);
const reserved = (name: string) => [
  { code: "invalid_string", message: "This header name is reserved", path: ["headers", name] },
];

test("absent, null and present headers are distinguished", () => {
  expect(readValidated(SetWebhookRequestSchema, { url }).message.headers).toBeUndefined();
  expect(read(null).message.headers?.values).toEqual({});
  expect(read({ "X-Team": "qa" }).message.headers?.values).toEqual({ "X-Team": "qa" });
});

test.each([
  { authorization: "Bearer abc.def-ghi_jkl=" },
  { "x-api-key": "k", "X-Team": "two words,  and more" },
  { "!#$%&'*+-.^_`|~09azAZ": "~ !" },
  {
    "user-agent": "us",
    "x-forward": "1",
    "x-metadata": "1",
    hostname: "1",
    webhook: "1",
    content: "1",
    secret: "1",
    "x-amzn": "1",
    "x-emsland": "1",
    __proto__x: "1",
  },
  { [`x${"y".repeat(127)}`]: "v".repeat(4_096) },
  Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, "v"])),
])("%j may be set", (headers) => {
  expect(issues(headers)).toEqual([]);
});

test.each([
  ...["host", "Host", "content-type", "Content-Length", "content-encoding", "webhook-id", "Webhook-Signature"],
  ...["cookie", "Cookie2", "set-cookie", "connection", "keep-alive", "proxy-authorization", "proxy-connection", "TE"],
  ...["trailer", "transfer-encoding", "upgrade", "expect", "http2-settings"],
  ...["forwarded", "via", "max-forwards", "x-forwarded", "X-Forwarded-For", "x-forwarded-host", "x-real-ip"],
  ...["x-original-url", "x-rewrite-url", "x-client-ip", "true-client-ip", "cf-connecting-ip", "fastly-client-ip"],
  ...["metadata", "Metadata-Flavor", "x-google-metadata-request", "X-aws-ec2-metadata-token"],
  ...["x-aws-ec2-metadata-token-ttl-seconds", "x-aliyun-ecs-metadata-token", "x-metadata-token"],
  ...["x-amz-security-token", "X-Amz-Date", "x-aws-anything", "x-goog-api-key", "X-Google-Anything", "x-ms-version"],
  ...["sec-fetch-site", "Sec-WebSocket-Key", "x-ems-application-id", "X-EMS-Anything"],
])("%s is refused, and not sent if it was set before", (name) => {
  expect(read({ [name]: "v" }).issues).toEqual(reserved(name));
  expect(allowedHeaders({ [name]: "v", "x-team": "qa", authorization: "Bearer k" })).toEqual({
    "x-team": "qa",
    authorization: "Bearer k",
  });
});

test.each([
  [[], ["invalid_type headers"]],
  ["x: y", ["invalid_type headers"]],
  [{ a: null, b: 1, c: ["x"] }, ["invalid_type headers.a", "invalid_type headers.b", "invalid_type headers.c"]],
  [{ "": "v" }, ["too_small headers."]],
  [
    { "a b": "v", "a:b": "v", ü: "v", "a\n": "v" },
    ["invalid_string headers.a b", "invalid_string headers.a:b"].concat([
      "invalid_string headers.ü",
      "invalid_string headers.a\n",
    ]),
  ],
  [
    { a: "", b: " v", c: "v ", d: "v\r\nx: y", e: "ä", f: "\t" },
    ["too_small headers.a", ..."bcdef"].map((at) => (at.length > 1 ? at : `invalid_string headers.${at}`)),
  ],
  [{ [`x${"y".repeat(128)}`]: "v" }, [`too_big headers.x${"y".repeat(98)}…`]],
  [{ a: "v".repeat(4_097) }, ["too_big headers.a"]],
  [{ "X-Team": "a", "x-team": "b" }, ["custom headers"]],
  [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, "v"])), ["too_big headers"]],
  [Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "v".repeat(4_096)])), ["custom headers"]],
])("%j is refused with an issue at its path", (headers, expected) => {
  expect(issues(headers)).toEqual(expected);
});

test("all errors of a request are reported together, each with its path", () => {
  const { issues: all } = readValidated(SetWebhookRequestSchema, {
    url: "http://receiver.example.com",
    headers: { host: "v", "a b": "v", c: "ä" },
    event: [],
  });
  expect(all.map(({ path }) => path.join(".")).sort()).toEqual([
    "event",
    "headers.a b",
    "headers.c",
    "headers.host",
    "url",
  ]);
});

test("too many headers are rejected without validating each one", () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`x ${n}`, "ä"]));
  expect(issues(many)).toEqual(["too_big headers"]);
});
