import { expect, test } from "vitest";
import { toDraft, toRequest } from "./webhook-draft.ts";

const url = "https://hooks.example.com/ems";
const stored = { url, headers: { authorization: "***" } };
const headers = [
  { name: "x-team", value: "a" },
  { name: "", value: "" },
];

test.each([
  ["a new webhook has no headers", null, {}, { url }],
  ["a new webhook has its headers without the empty row", null, { headers }, { url, headers: { "x-team": "a" } }],
  ["stored headers stay unless they are replaced", stored, { headers }, { url }],
  [
    "stored headers are replaced as a whole",
    stored,
    { isReplacing: true, headers },
    { url, headers: { "x-team": "a" } },
  ],
  ["stored headers are removed", stored, { isReplacing: true }, { url, headers: {} }],
  ["a value without a name is sent", null, { headers: [{ name: "", value: "a" }] }, { url, headers: { "": "a" } }],
])("%s", (_, webhook, change, request) => {
  expect(toRequest({ ...toDraft(webhook), url, ...change }, webhook)).toEqual(request);
});
