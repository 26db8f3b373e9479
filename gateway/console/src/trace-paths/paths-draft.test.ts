import { expect, test } from "vitest";
import { findDifferences } from "../edits/fields.ts";
import { draftFields, newNoise, toDraft, toNoise, toPaths } from "./paths-draft.ts";

const data = {
  redactions: [],
  question: "root.input",
  answer: null,
  context: null,
  session: null,
  user: null,
  noise: [{ name: "GET *", attribute: null, value: null, service: "web", keep: false }],
  modifiedAt: null,
};

test("a draft returns what it was made from, and empty fields are left out", () => {
  const draft = toDraft({ data });
  expect(toPaths({ ...draft, answer: "  " })).toEqual({
    question: "root.input",
    answer: null,
    context: null,
    session: null,
    user: null,
  });
  expect(toNoise([...draft.noise, newNoise])).toEqual([
    { name: "GET *", service: "web", keep: false },
    { keep: false },
  ]);
});

test("a conflict shows paths and rules in words", () => {
  const base = toDraft({ data });
  const theirs = { ...base, question: "llm.input", noise: [] };
  expect(findDifferences(draftFields, base, base, theirs)).toEqual([
    { label: "Question", mine: "root.input", theirs: "llm.input", changedBy: "others" },
    { label: "Noise rules", mine: "Drop\nname: GET *\nservice: web", theirs: "", changedBy: "others" },
  ]);
});
