import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoted, toCurl } from "./curl.ts";
import { get, post, toUrl } from "./request.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";

test("a filter with several values is repeated in the URL", () => {
  const request = get("/v0/topics", { params: { query: { status: ["ACTIVE", "DRAFT"], limit: 25, title: "a b" } } });
  expect(toCurl(request, "http://127.0.0.1:3000", id)).toBe(
    `curl -sS 'http://127.0.0.1:3000/v0/topics?status=ACTIVE&status=DRAFT&limit=25&title=a%20b' \\\n` +
      `  -H "x-api-key: $KEY" -H 'x-application-id: ${id}'`,
  );
});

test("absent parameters are omitted", () => {
  expect(toUrl(get("/v0/topics", { params: { query: { title: undefined } } }))).toBe("/v0/topics");
});

test("a body is quoted so that a shell sends it unchanged", () => {
  const title = `It's "$HOME" \`id\` \\ !`;
  const line = toCurl(post("/v0/topics", { body: { title } }), "http://127.0.0.1:3000", id);
  const [, body = ""] = line.split("-d ");
  expect(JSON.parse(execFileSync("sh", ["-c", `printf %s ${body}`], { encoding: "utf8" }))).toEqual({ title });
});

test.each(["", "a'b", "$(id)", "a\nb", "~", "*"])("%j is quoted as one shell word", (word) => {
  expect(execFileSync("sh", ["-c", `printf %s ${quoted(word)}`], { encoding: "utf8" })).toBe(word);
});
