// Secrets of other systems are entered in one component, which password managers ignore: they would otherwise fill in
// the product's own API key, which would then be stored as the other system's secret.

import { expect, test } from "vitest";
import { product, read } from "./sources.ts";

const console = product.filter((file) => /^gateway\/console\/src\/.*\.tsx$/.test(file));
const uses = (pattern: RegExp) =>
  console.filter((file) => pattern.test(read(file))).map((file) => file.replace("gateway/console/src/", ""));

/** The sign-in page, which asks for an API key of the product. */
const signIn = "session/key-fields.tsx";

test("only the sign-in and the field of secrets are fields of passwords", () => {
  expect(uses(/\bPasswordInput\b|\btype=(\{\s*)?["'`]password["'`]|\btype: ["'`]password["'`]/)).toEqual([
    signIn,
    "ui/secret-field.tsx",
  ]);
  expect(uses(/autoComplete=(\{\s*)?["'`](current-password|username)["'`]/)).toEqual([signIn]);
  expect(uses(/["'`]new-password["'`]/)).toEqual(["ui/secret-field.tsx"]);
});

test("what the API calls a key, a secret or a value of a header is typed into the field of secrets", () => {
  // Matches a plain text field with a value that is named like a secret.
  const plain =
    /<(TextInput|TextField|Textarea|LongTextField)\b(?:(?!\/>).)*?\bvalue=\{[^}]*\b(apiKey|\w*[sS]ecret|password)\b/s;
  expect(uses(plain)).toEqual([]);
});

test("the input of a form with a secret is stored without it", () => {
  const forms = uses(/<SecretField\b/).filter((file) => file !== "ui/secret-field.tsx");
  expect(forms).not.toEqual([]);
  const withoutSecrets = uses(/\bsecrets: \[/);
  expect(forms.filter((file) => !withoutSecrets.includes(file))).toEqual([]);
});
