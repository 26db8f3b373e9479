// Reads tests of promptfoo: a whole configuration, a list of tests, or a table with columns such as `__expected`. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { YamlLines } from "@ems/kit/readers";
import { Answers, answersNote, longAnswer } from "../answers.ts";
import { readPrompt } from "../conversation.ts";

import type { Source } from "../read-source.ts";
import {
  asText,
  type Evaluator,
  type ImportRow,
  isBlank,
  isObject,
  occurrenceColumn,
  type Waiting,
} from "../record.ts";
import { readAssertionText } from "./assertion-text.ts";
import type { ConfigFiles } from "./config-files.ts";
import { evaluatorsMax, TestEvaluators } from "./evaluator-set.ts";
import { convertAssertion } from "./evaluators.ts";
import { isConfig } from "./is-promptfoo.ts";
import { answerKey, silentKeys, unknownKeys } from "./keys.ts";
import { fillPrompt, readTemplate, type Template } from "./prompts.ts";
import { expand, firstLine, listed, merge, optionText, shorten, tableTest } from "./tests.ts";

export interface PromptfooOptions {
  readonly expandsLists: boolean;
  readonly rowsMax: number;
  readonly files: ConfigFiles;
  /** Parses a prompt that is JSON; undefined if it is not. */
  readonly parse: (text: string) => JsonValue | undefined;
}

export interface ReadTests {
  readonly rows: readonly ImportRow[];
  /** Number of tests, including one more than allowed. */
  readonly count: number;
  readonly waiting: readonly Waiting[];
  readonly notes: readonly string[];
}

const notesMax = 20;
export function readPromptfoo(source: Source, options: PromptfooOptions): ReadTests {
  const reader = new TestReader(source.lines, options);
  if (source.isTable) {
    for (const record of source.records) reader.addTest(tableTest(record, source.columns), {}, record.row, "");
  } else if (isObject(source.document) && !Array.isArray(source.document) && isConfig(source.document)) {
    reader.addConfig(source.document);
  } else {
    for (const { row, values } of source.records) reader.addTest(Object.fromEntries(values), {}, row, "");
  }
  return reader.result();
}

class TestReader {
  readonly #rows: ImportRow[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #notes: string[] = [];
  readonly #evaluators = new Set<string>();
  readonly #lines: YamlLines;
  readonly #options: PromptfooOptions;
  #templates: readonly Template[] = [];
  #count = 0;
  #hasAnswers = false;

  constructor(lines: YamlLines, options: PromptfooOptions) {
    this.#lines = lines;
    this.#options = options;
  }

  result(): ReadTests {
    if (this.#hasAnswers) this.#note(answersNote([answerKey]));
    return { rows: this.#rows, count: this.#count, waiting: [...this.#waiting.values()], notes: this.#notes };
  }

  addConfig(config: JsonObject): void {
    this.#addPrompts(config);
    this.#addModels(config);
    for (const [key, value] of Object.entries(config)) {
      if (silentKeys.has(key) || isBlank(value)) continue;
      this.#wait(this.#line(config, key), key, `Setting ${key} of promptfoo`);
    }
    const fallback = isObject(config.defaultTest) ? config.defaultTest : {};
    if (typeof config.defaultTest === "string")
      this.#wait(this.#line(config, "defaultTest"), "defaultTest", `File ${config.defaultTest}`);
    this.#listKeys(fallback, "defaultTest");
    this.#addTests(config.tests, fallback, this.#line(config, "tests"), "tests");
    // Without tests, each prompt is a test of its own.
    if (isBlank(config.tests) && isBlank(config.scenarios) && this.#templates.length > 0)
      this.addTest({}, fallback, this.#line(config, "prompts"), "defaultTest");
    for (const [at, scenario] of listed(config.scenarios).entries()) this.#addScenario(scenario, fallback, at);
  }

  #addPrompts(config: JsonObject): void {
    const prompts = listed(config.prompts);
    const line = this.#line(config, "prompts");
    this.#templates = prompts.flatMap((prompt, at) => {
      const templates = this.#readTemplates(prompt);
      const name =
        templates[0]?.label ?? shorten(asText(isObject(prompt) ? (prompt.id ?? prompt.label ?? prompt) : prompt));
      const filled = templates.length === 0 ? "" : "; tests are filled into it";
      this.#wait(this.#line(prompts, at, line), `prompts[${at}]`, `Prompt ${name}${filled}`);
      return templates;
    });
  }

  #readTemplates(prompt: JsonValue): Template[] {
    const template = readTemplate(prompt);
    if (template !== undefined) return [template];
    const path = isObject(prompt) ? (prompt.raw ?? prompt.id) : prompt;
    if (typeof path !== "string") return [];
    const files = this.#options.files.prompts(path);
    const texts = files.flat();
    if (texts.length > 1 || files.length > 1)
      this.#note(`${texts.length} prompts from ${files.length === 1 ? "1 file" : `${files.length} files`}: ${path}`);
    return texts.map((raw) => ({
      label: isObject(prompt) && typeof prompt.label === "string" ? prompt.label : path,
      raw,
    }));
  }

  #addModels(config: JsonObject): void {
    for (const key of ["providers", "targets"]) {
      const models = listed(config[key]);
      for (const [at, model] of models.entries()) {
        const name = isObject(model) ? (model.id ?? model.label ?? Object.keys(model)[0] ?? "") : model;
        this.#wait(
          this.#line(models, at, this.#line(config, key)),
          `${key}[${at}]`,
          `Provider ${shorten(asText(name))}`,
        );
      }
    }
  }

  #addTests(tests: JsonValue | undefined, fallback: JsonObject, line: number, path: string): void {
    const list = listed(tests);
    for (const [at, test] of list.entries()) {
      const row = this.#line(list, at, line);
      if (isBlank(test)) continue;
      const files = typeof test === "string" ? this.#options.files.tests(test) : [];
      if (files.length > 0) for (const file of files) this.#addFile(file, fallback, `${path}[${at}]`);
      else if (isObject(test) && typeof test.path !== "string") this.addTest(test, fallback, row, `${path}[${at}]`);
      else
        this.#wait(
          row,
          `${path}[${at}]`,
          `Tests in ${shorten(asText(isObject(test) ? test : (test ?? "")))}: import that file, too`,
        );
    }
  }

  #addFile({ isTable, records, columns }: Source, fallback: JsonObject, path: string): void {
    for (const record of records) {
      const test = isTable ? tableTest(record, columns) : Object.fromEntries(record.values);
      this.addTest(test, fallback, record.row, path);
    }
  }

  #addScenario(scenario: JsonValue, fallback: JsonObject, at: number): void {
    if (!isObject(scenario)) {
      this.#wait(0, `scenarios[${at}]`, `Scenario ${shorten(asText(scenario))}`);
      return;
    }
    const line = this.#line(scenario, "tests");
    for (const config of listed(scenario.config)) {
      if (!isObject(config)) continue;
      this.#addTests(scenario.tests ?? [{}], merge(fallback, config), line, `scenarios[${at}].tests`);
    }
  }

  addTest(own: JsonObject, fallback: JsonObject, row: number, path: string): void {
    const test = merge(fallback, own);
    this.#listKeys(own, path, row);
    const options = isObject(test.options) ? test.options : {};
    const vars = isObject(test.vars) ? test.vars : {};
    if (!isBlank(test.vars) && !isObject(test.vars))
      this.#wait(row, `${path}.vars`, `Variables in ${shorten(asText(test.vars ?? ""))}`);
    const expands = this.#options.expandsLists && options.disableVarExpansion !== true;
    const read = this.#readVariables(vars, row, path);
    const sets = expands ? expand(read, this.#options.rowsMax + 1 - this.#count) : [read];
    if (sets.length > 1) this.#note(`Row ${row}: lists in variables make ${sets.length} tests`);
    for (const set of sets) {
      this.#count += 1;
      if (this.#count > this.#options.rowsMax) return;
      this.#rows.push(this.#buildRow({ ...test, vars: set }, options, row, path, sets.length > 1));
    }
  }

  /** Replaces files by their texts; lists files that were not sent. */
  #readVariables(vars: JsonObject, row: number, path: string): JsonObject {
    const read = Object.entries(vars).map(([name, value]) => {
      if (typeof value !== "string" || !value.startsWith("file://")) return [name, value] as const;
      const text = this.#options.files.text(value);
      if (text === undefined) this.#wait(row, `${path}.vars.${name}`, `Variable ${name} in ${shorten(value)}`);
      return [name, text ?? value] as const;
    });
    return Object.fromEntries(read);
  }

  #buildRow(test: JsonObject, options: JsonObject, row: number, path: string, isExpanded: boolean): ImportRow {
    const vars = isObject(test.vars) ? test.vars : {};
    const prompts = this.#fill(vars, test, row, path);
    const around = (text: string) => `${optionText(options.prefix)}${text}${optionText(options.suffix)}`;
    const [first] = prompts;
    const description =
      typeof test.description === "string" && test.description.trim() !== "" ? test.description : undefined;
    const title =
      isExpanded && description !== undefined && first !== undefined
        ? `${description}: ${firstLine(first.text)}`
        : description;
    const own = isObject(test.metadata) ? test.metadata : {};
    const isSame = prompts.every(({ metadata }) => Object.keys(metadata).length === 0);
    const isOne = prompts.length === 1;
    const answer = this.#readAnswer(test, row, path);
    const examples = prompts.map(({ text, metadata: rest }) => ({
      input: around(text),
      metadata: { ...(isOne ? {} : rest), ...answer },
    }));
    const metadata = { ...own, ...(isOne ? first?.metadata : {}), ...(prompts.length === 0 ? answer : {}) };
    const evaluators = this.#evaluatorsOf(test, vars, row, path);
    const fields: JsonObject = {
      ...(title !== undefined && { title }),
      ...((isSame || isOne) && answer === undefined ? { prompt: examples.map(({ input }) => input) } : { examples }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(prompts.length > 0 && { type: "STATIC" }),
      ...(test[occurrenceColumn] !== undefined && { [occurrenceColumn]: test[occurrenceColumn] }),
    };
    return { row, fields, evaluators };
  }

  /** Returns the recorded answer of a test as metadata. */
  #readAnswer({ providerOutput }: JsonObject, row: number, path: string): JsonObject | undefined {
    if (providerOutput === undefined || isBlank(providerOutput)) return undefined;
    const answers = new Answers();
    if (!answers.add(answerKey, providerOutput)) this.#wait(row, `${path}.${answerKey}`, longAnswer);
    else this.#hasAnswers = true;
    return answers.metadata;
  }

  /** Returns the filled prompts, or else the question among the variables. */
  #fill(vars: JsonObject, test: JsonObject, row: number, path: string) {
    const requested = Array.isArray(test.prompts) ? test.prompts : undefined;
    const templates =
      requested === undefined
        ? this.#templates
        : this.#templates.filter(({ label, raw }) => requested.includes(label ?? asText(raw)));
    const filled = templates.flatMap((template) => fillPrompt(template, vars, this.#options.parse) ?? []);
    if (filled.length < templates.length)
      this.#wait(row, path, "A prompt that needs more than variables, or is too long, was not filled");
    const distinct = [...new Map(filled.map((prompt) => [JSON.stringify(prompt), prompt])).values()];
    if (distinct.length > 0 || isBlank(vars)) return distinct;
    return [readPrompt(vars)];
  }

  #evaluatorsOf(test: JsonObject, vars: JsonObject, row: number, path: string): Evaluator[] {
    const evaluators = new TestEvaluators(this.#evaluators);
    for (const [at, item] of listed(test.assert).entries()) {
      const assertion = typeof item === "string" ? readAssertionText(item) : item;
      if (!isObject(assertion)) continue;
      const line = this.#line(assertion, "type", row);
      const field = `${path}${path === "" ? "" : "."}assert[${at}]`;
      const converted = convertAssertion(assertion, vars);
      if (!("evaluator" in converted)) {
        const { key, reason } = converted;
        this.#wait(key === undefined ? line : this.#line(assertion, key, line), key ?? field, reason);
      } else if (!evaluators.add(converted.evaluator))
        this.#wait(line, field, `Assertion ${assertion.type}: the import has more than ${evaluatorsMax} evaluators`);
    }
    return evaluators.list();
  }

  #listKeys(test: JsonObject, path: string, row = 0): void {
    for (const { within, key, field, message } of unknownKeys(test, path))
      this.#wait(this.#line(within, key, row), field, message);
  }

  #line(within: object, key: string | number, otherwise = 0): number {
    return this.#lines.get(within)?.get(key) ?? otherwise;
  }

  #wait(row: number, field: string, message: string): void {
    // An assertion of the default test waits once, not once per test.
    const key = row === 0 ? `${field}\n${message}` : `${row}\n${message}`;
    if (!this.#waiting.has(key)) this.#waiting.set(key, { row, field, message });
  }

  #note(text: string): void {
    if (this.#notes.length < notesMax) this.#notes.push(text);
  }
}
