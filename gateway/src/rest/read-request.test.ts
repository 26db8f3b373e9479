import { issuesMax } from "@ems/kit/json/issue";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { describe, expect, test } from "vitest";
import { parseBody, RawBody } from "./body.ts";
import { parseQuery, type RequestParts, readRequest } from "./read-request.ts";
import { listRoutes } from "./routes.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const routes = listRoutes([TopicService, ApiKeyService, OtlpService]);

function read(rpc: string, { params = {}, rawQuery = "", body = {}, ...more }: Partial<RequestParts>) {
  const route = routes.find(({ method }) => method.name === rpc);
  if (route === undefined) throw new Error(`There is no ${rpc}`);
  return readRequest(route, { params, rawQuery, body, ...more });
}

const readIssues = (rpc: string, parts: Partial<RequestParts>) =>
  read(rpc, parts).issues.map(({ code, message, path }) => `${path.join(".")} ${code}: ${message}`);

describe("a request becomes the message of its RPC", () => {
  test("from the path", () => {
    expect(read("GetTopic", { params: { id } })).toMatchObject({ message: { id }, issues: [] });
    expect(read("DeleteApiKey", { params: { keyId: id } })).toMatchObject({ message: { keyId: id }, issues: [] });
  });

  test("from the query", () => {
    const rawQuery = "skip=20&limit=10&status=DRAFT,ACTIVE&status=ARCHIVED&title=a+b%21";
    expect(read("ListTopics", { rawQuery })).toMatchObject({
      message: { skip: 20n, limit: 10, status: [1, 2, 3], title: "a b!" },
      issues: [],
    });
  });

  test("from the body", () => {
    const body = { title: "Refunds", baseline: 0.5, status: "DRAFT", quickstartId: null };
    const { message, issues } = read("CreateTopic", { body });
    expect(issues).toEqual([]);
    expect(message).toMatchObject({ title: "Refunds", baseline: 0.5, status: 1 });
    expect(message).not.toHaveProperty("quickstartId");
  });

  test("from path and body", () => {
    const parts = { params: { id }, body: { cascade: true } };
    expect(read("ArchiveTopic", parts)).toMatchObject({ message: { id, cascade: true }, issues: [] });
    expect(read("ArchiveTopic", { params: { id } })).toMatchObject({ message: { id }, issues: [] });
  });
});

describe("issues of a request", () => {
  test("a path id that is not a UUID", () => {
    const issues = [{ code: "invalid_string", message: "Invalid UUID", path: ["id"] }];
    expect(read("GetTopic", { params: { id: "x" } }).issues).toEqual(issues);
    expect(read("GetTopic", { params: { id: "\0" } }).issues).toMatchObject([{ code: "invalid_string", path: ["id"] }]);
  });

  test("of path, query, body and rules are reported together", () => {
    const parts = { params: { id: "x" }, rawQuery: "a=1&b=%", body: { cascade: "yes", more: 1 } };
    expect(readIssues("ArchiveTopic", parts)).toEqual([
      "a unrecognized_keys: Unrecognized key(s) in object: 'a'",
      "b invalid_string: String must be percent-encoded UTF-8",
      "cascade invalid_type: Expected boolean, received string",
      "more unrecognized_keys: Unrecognized key(s) in object: 'more'",
      "id invalid_string: Invalid UUID",
    ]);
  });

  test("of a body, all fields", () => {
    const body = { title: "", baseline: "x", status: "ARCHIVED", quickstartId: "q" };
    expect(readIssues("CreateTopic", { body })).toEqual([
      "baseline invalid_type: Expected number, received string",
      "status invalid_enum_value: Invalid enum value. Expected 'DRAFT' | 'ACTIVE', received 'ARCHIVED'",
      "title too_small: String must contain at least 1 character(s)",
      "quickstartId invalid_string: Invalid UUID",
    ]);
    expect(readIssues("CreateTopic", {})).toEqual(["title invalid_type: Required"]);
    expect(readIssues("CreateTopic", { body: [] })).toEqual([" invalid_type: Expected object, received array"]);
    expect(readIssues("CreateApiKey", { body: { name: "x".repeat(257) } })).toEqual([
      "name too_big: String must contain at most 256 character(s)",
    ]);
  });

  test("of a query, all parameters", () => {
    const rawQuery = "skip=-1&limit=101&orderBy=x&orderDir=desc&orderDir=asc&status=GONE&nope=1&title=%";
    expect(readIssues("ListTopics", { rawQuery })).toEqual([
      "title invalid_string: String must be percent-encoded UTF-8",
      "orderBy invalid_enum_value: Invalid enum value. " +
        "Expected 'createdAt' | 'modifiedAt' | 'title' | 'status' | 'id', received 'x'",
      "orderDir invalid_type: Expected string, received array",
      "status.0 invalid_enum_value: Invalid enum value. Expected 'DRAFT' | 'ACTIVE' | 'ARCHIVED', received 'GONE'",
      "nope unrecognized_keys: Unrecognized key(s) in object: 'nope'",
      "skip too_small: Number must be greater than or equal to 0",
      "limit too_big: Number must be less than or equal to 100",
    ]);
  });

  test("a path parameter repeated in the query or the body", () => {
    const duplicate = ["id unrecognized_keys: Unrecognized key(s) in object: 'id'"];
    expect(readIssues("GetTopic", { params: { id }, rawQuery: `id=${id}` })).toEqual(duplicate);
    expect(readIssues("ArchiveTopic", { params: { id }, rawQuery: `id=${id}` })).toEqual(duplicate);
    expect(readIssues("ArchiveTopic", { params: { id }, body: { id } })).toEqual(duplicate);
  });

  test("a body on a route without one", () => {
    expect(readIssues("GetTopic", { params: { id: "x" }, body: { a: 1, b: 2 } })).toEqual([
      "a unrecognized_keys: Unrecognized key(s) in object: 'a'",
      "b unrecognized_keys: Unrecognized key(s) in object: 'b'",
      "id invalid_string: Invalid UUID",
    ]);
    expect(readIssues("GetTopic", { params: { id }, body: [1] })).toEqual([
      " invalid_type: Expected object, received array",
    ]);
  });

  test("an invalid body, together with those of the path", () => {
    const { issues: bodyIssues } = parseBody(Buffer.from("{"));
    const parts = { params: { id: "x" }, body: undefined, bodyIssues };
    for (const rpc of ["ArchiveTopic", "GetTopic"]) {
      expect(readIssues(rpc, parts)).toEqual([
        expect.stringMatching(/^ invalid_json: Invalid JSON: /),
        "id invalid_string: Invalid UUID",
      ]);
    }
    // The body's issue is the only one, since missing fields may be in the unparsed body.
    expect(readIssues("CreateTopic", { body: undefined, bodyIssues })).toHaveLength(1);
  });

  test("a malformed query parameter does not hide other issues", () => {
    const broken = "String must be percent-encoded UTF-8";
    expect(readIssues("CreateTopic", { rawQuery: "title=%" })).toEqual([
      `title invalid_string: ${broken}`,
      "title invalid_type: Required",
    ]);
    expect(readIssues("GetTopic", { params: { id: "x" }, rawQuery: "id=%" })).toEqual([
      `id invalid_string: ${broken}`,
      "id invalid_string: Invalid UUID",
    ]);
  });

  test("are collected up to the maximum of a response", () => {
    const body = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [index, 0]));
    for (const { issues, omitted } of [read("GetTopic", { params: { id }, body }), read("CreateTopic", { body })])
      expect([issues.length, omitted >= 200_000 - issuesMax]).toEqual([issuesMax, true]);
  });

  test("names of JavaScript's object properties", () => {
    const body = JSON.parse('{"title": "a", "__proto__": {"x": 1}}');
    const issue = "__proto__ unrecognized_keys: Unrecognized key(s) in object: '__proto__'";
    expect(readIssues("CreateTopic", { body, rawQuery: "__proto__=1" })).toEqual([issue, issue]);
    expect(readIssues("ListTopics", { rawQuery: "__proto__=1" })).toEqual([issue]);
  });
});

describe("a raw body", () => {
  const rpc = "ExportTraces";

  test("is the request's payload with its media type; an empty one has the RPC's first media type", () => {
    const payload = Buffer.from([10, 0, 255]);
    const body = new RawBody(payload, "application/x-protobuf");
    expect(read(rpc, { body })).toMatchObject({
      message: { payload, contentType: "application/x-protobuf" },
      issues: [],
    });
    expect(read(rpc, { body: new RawBody(new Uint8Array()) })).toMatchObject({
      message: { payload: new Uint8Array(), contentType: "application/json" },
      issues: [],
    });
  });

  test("is not a query parameter", () => {
    expect(readIssues(rpc, { rawQuery: "payload=1" })).toEqual([
      "payload unrecognized_keys: Unrecognized key(s) in object: 'payload'",
    ]);
  });
});

test.each<[raw: string, values: Record<string, string[]>]>([
  ["", {}],
  ["&&", {}],
  ["a=1", { a: ["1"] }],
  ["a=1&b=2&a=3", { a: ["1", "3"], b: ["2"] }],
  ["a", { a: [""] }],
  ["a=", { a: [""] }],
  ["=1", { "": ["1"] }],
  ["a=b=c", { a: ["b=c"] }],
  ["a=x+y%20z%2B", { a: ["x y z+"] }],
  ["%61=%C3%BC%F0%9F%98%80", { a: ["ü😀"] }],
  ["a=%00", { a: ["\0"] }],
  ["status=A,B", { status: ["A,B"] }],
])("%j is read", (raw, values) => {
  const query = parseQuery(raw);
  expect({ ...query.values }).toEqual(values);
  expect(query.issues).toEqual([]);
});

test.each([
  ["a=%", "a"],
  ["a=%4", "a"],
  ["a=%zz", "a"],
  ["a=%ff", "a"],
  ["a=%C3", "a"],
  ["a=%ED%A0%80", "a"],
  ["a=%C0%80", "a"],
  ["a=ü", "a"],
  ["a=\u00ff", "a"],
  ["%ff=1", "%ff"],
  ["%61%=1", "%61%"],
])("%j is an issue of the parameter", (raw, name) => {
  expect(parseQuery(`${raw}&b=1`)).toEqual({
    values: { b: ["1"] },
    issues: [{ code: "invalid_string", message: "String must be percent-encoded UTF-8", path: [name] }],
  });
});

test("names of object properties are ordinary names", () => {
  const { values } = parseQuery("__proto__=1&constructor=2&__proto__=3");
  expect(Object.entries(values)).toEqual([
    ["__proto__", ["1", "3"]],
    ["constructor", ["2"]],
  ]);
  expect(Object.prototype).not.toHaveProperty("0");
});
