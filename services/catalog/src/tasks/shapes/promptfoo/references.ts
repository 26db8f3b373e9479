// Resolves references in tests of promptfoo: `$ref` within the document, and files of defaults, variables and values. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asText, isBlank, isObject } from "../record.ts";
import type { ConfigFiles } from "./config-files.ts";
import { isGlob } from "./glob.ts";
import { explainMissing } from "./paths.ts";
import type { Place, Report } from "./report.ts";
import { listed, shorten } from "./tests.ts";

/** References may name references. */
const depthMax = 5;
const isFile = (value: JsonValue | undefined): value is string =>
  typeof value === "string" && value.startsWith("file://");

export class References {
  readonly #document: JsonValue | undefined;
  readonly #files: ConfigFiles;
  readonly #report: Report;

  constructor(document: JsonValue | undefined, files: ConfigFiles, report: Report) {
    this.#document = document;
    this.#files = files;
    this.#report = report;
  }

  /** Replaces `{$ref: "#/assertionTemplates/polite"}` by what it names. */
  follow(value: JsonValue | undefined): JsonValue | undefined {
    let found = value;
    for (let depth = 0; depth < depthMax && isObject(found); depth++) {
      const { $ref } = found;
      if (typeof $ref !== "string" || !$ref.startsWith("#/")) break;
      let target = this.#document;
      for (const part of $ref.slice(2).split("/")) {
        const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
        if (Array.isArray(target)) target = target[Number(name)];
        else target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
      }
      if (target === undefined) break;
      found = target;
    }
    return found;
  }

  /** Reads the default test, which may be a file. */
  readDefaults(defaults: JsonValue | undefined, place: Place): JsonObject {
    const [found] = this.readList(defaults, place);
    return isObject(found) ? this.readTest(found, place) : {};
  }

  readScenarios(scenarios: JsonValue | undefined, place: Place): JsonValue[] {
    return this.readList(scenarios, place).flatMap((each) =>
      isObject(each) && isFile(each.tests) ? this.#withTests(each, each.tests) : each,
    );
  }

  #withTests(scenario: JsonObject, path: string): JsonObject {
    const tests = this.#files.values(path).flat();
    return tests.length === 0 ? scenario : { ...scenario, tests };
  }

  /** Replaces files by their values; lists those that were not sent. */
  readList(list: JsonValue | undefined, { row, path, folder }: Place): JsonValue[] {
    return listed(list).flatMap((each) => {
      const item = this.follow(each) ?? null;
      if (!isFile(item)) return item;
      const values = this.#files.values(item, folder).flat();
      if (values.length === 0) this.#report.wait(row, path, `File ${shorten(item)}: ${explainMissing(item, folder)}`);
      return values;
    });
  }

  /** Follows the references of a test. Its variables may be files, which are joined. */
  readTest(test: JsonObject, { row, path, folder }: Place): JsonObject {
    const members = Object.entries(test).map(([key, value]) => [key, this.follow(value) ?? null] as const);
    const followed: JsonObject = Object.fromEntries(members);
    const { vars } = followed;
    if (isBlank(vars) || isObject(vars)) return followed;
    const joined: Record<string, JsonValue> = {};
    for (const file of listed(vars)) {
      const name = asText(file);
      const values = this.#files.values(name, folder).filter(isObject);
      Object.assign(joined, ...values);
      if (values.length === 0)
        this.#report.wait(row, `${path}.vars`, `Variables in ${shorten(name)}: ${explainMissing(name, folder)}`);
    }
    return { ...followed, vars: joined };
  }

  /** Replaces files by their texts, and a pattern by a list of them; lists files that were not sent. */
  readVariables(vars: JsonObject, { row, path }: Place): JsonObject {
    const read = (value: JsonValue, name: string): JsonValue => {
      if (!isFile(value)) return value;
      const texts = this.#files.texts(value);
      if (texts.length === 0) {
        const message = `Variable ${name} in ${shorten(value)}: ${explainMissing(value)}`;
        this.#report.wait(row, `${path}.vars.${name}`, message);
      }
      return texts.length > 1 || (isGlob(value) && texts.length > 0) ? [...texts] : (texts[0] ?? value);
    };
    const entries = Object.entries(vars).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.flatMap((each) => (isFile(each) ? read(each, name) : [each]))
        : read(this.follow(value) ?? null, name),
    ]);
    return Object.fromEntries(entries);
  }

  /** Follows an assertion's reference, and replaces files by their texts or values. */
  readAssertion(assertion: JsonValue): JsonValue {
    const followed = this.follow(assertion) ?? null;
    if (!isObject(followed) || !isFile(followed.value)) return followed;
    const path = followed.value;
    const [value] = /\.(?:json|ya?ml)$/i.test(path) ? this.#files.values(path) : this.#files.texts(path);
    if (value === undefined) return followed;
    const read = { ...followed, value };
    this.#report.copyLines(followed, read);
    return read;
  }
}
