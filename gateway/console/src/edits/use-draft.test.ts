import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "../api/errors.ts";
import { errorsByField, useDraft } from "./use-draft.ts";

const refused = (issues: readonly object[]) =>
  new ApiError(new Response(null, { status: 400 }), { message: "Invalid", issues });

test.each([
  ["a path of parts", [{ path: ["inputExamples", 0], message: "too long" }], { "inputExamples.0": "too long" }],
  ["a path in words", [{ path: "title", message: "required" }], { title: "required" }],
  ["a field of another name", [{ path: "prices.inputPerMillion", message: "negative" }], { input: "negative" }],
  [
    "the first of two issues of a field",
    [
      { path: "title", message: "first" },
      { path: "title", message: "second" },
    ],
    { title: "first" },
  ],
  ["an issue without a path", [{ message: "no field" }], { "": "no field" }],
  [
    "an issue inside a field of another name",
    [{ path: "config.expected.1", message: "too long" }],
    { texts: "too long" },
  ],
])("%s sets the error of the field", (_, issues, expected) => {
  expect(errorsByField(refused(issues), { "prices.inputPerMillion": "input", config: "texts" })).toEqual(expected);
});

test("other errors belong to no field", () => {
  expect(errorsByField(new TypeError("network"))).toEqual({});
  expect(errorsByField(null)).toEqual({});
});

test("inputs have the draft's values, also in a list, and a checkbox has its state", () => {
  function Form() {
    const { inputs } = useDraft(() => ({ title: "Cards", isVerified: true, content: [{ heading: "Tone" }] }));
    const { value } = inputs.input("title");
    const { checked } = inputs.check("isVerified");
    return `${value} ${checked} ${inputs.input("content.0.heading").value}`;
  }
  expect(renderToStaticMarkup(createElement(Form))).toBe("Cards true Tone");
});
