// Reads tests of promptfoo: a whole configuration, a list of tests, or a table with columns such as `__expected`. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
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
import type { ConfigFiles, TestFile } from "./config-files.ts";
import { evaluatorsMax, TestEvaluators } from "./evaluator-set.ts";
import { convertAssertion } from "./evaluators.ts";
import { isConfig } from "./is-promptfoo.ts";
import { answerKey, silentKeys, unknownKeys } from "./keys.ts";
import { explainMissing, folderName } from "./paths.ts";
import { PromptSet } from "./prompt-set.ts";
import { References } from "./references.ts";
import { type Place, Report } from "./report.ts";
import { expand, firstLine, isRowOfVariables, listed, merge, optionText, shorten, tableTest } from "./tests.ts";

/** Maximum length of a task's prompt. */
const promptLengthMax = 10_000;

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

export function readPromptfoo(source: Source, options: PromptfooOptions): ReadTests {
  const reader = new TestReader(source, options);
  const { document, isTable, records, columns } = source;
  if (!isTable && isObject(document) && isConfig(document)) reader.addConfig(document);
  else {
    reader.checkLength(source);
    for (const record of records) {
      const test = isTable ? tableTest(record, columns) : Object.fromEntries(record.values);
      reader.addTest(test, {}, { row: record.row, path: "" });
    }
  }
  return reader.result();
}

class TestReader {
  readonly #rows: ImportRow[] = [];
  readonly #report: Report;
  readonly #evaluators = new Set<string>();
  readonly #options: PromptfooOptions;
  readonly #prompts: PromptSet;
  readonly #references: References;
  #count = 0;
  #hasAnswers = false;

  constructor({ lines, document }: Source, options: PromptfooOptions) {
    this.#report = new Report(lines);
    this.#options = options;
    this.#prompts = new PromptSet(options);
    this.#references = new References(document, options.files, this.#report);
  }

  result(): ReadTests {
    if (this.#hasAnswers) this.#report.note(answersNote([answerKey]));
    return { rows: this.#rows, count: this.#count, waiting: this.#report.waiting, notes: this.#report.notes };
  }

  addConfig(config: JsonObject): void {
    this.#prompts.add(config, this.#report);
    this.#addModels(config);
    for (const [key, value] of Object.entries(config)) {
      if (silentKeys.has(key) || isBlank(value)) continue;
      this.#report.wait(this.#report.line(config, key), key, `Setting ${key} of promptfoo`);
    }
    const line = (key: string) => this.#report.line(config, key);
    const fallback = this.#references.readDefaults(config.defaultTest, {
      row: line("defaultTest"),
      path: "defaultTest",
    });
    this.#listKeys(fallback, { row: 0, path: "defaultTest" });
    this.#addTests(config.tests, fallback, { row: line("tests"), path: "tests" });
    // Without tests, each prompt is a test of its own.
    if (isBlank(config.tests) && isBlank(config.scenarios)) {
      this.#prompts.keepFillable(isObject(fallback.vars) ? fallback.vars : {});
      if (this.#prompts.size > 0) this.addTest({}, fallback, { row: line("prompts"), path: "defaultTest" });
    }
    const scenarios = this.#references.readScenarios(config.scenarios, { row: line("scenarios"), path: "scenarios" });
    for (const [at, scenario] of scenarios.entries()) this.#addScenario(scenario, fallback, at);
  }

  #addModels(config: JsonObject): void {
    for (const key of ["providers", "targets"]) {
      const models = listed(config[key]);
      for (const [at, model] of models.entries()) {
        const name = isObject(model) ? (model.id ?? model.label ?? Object.keys(model)[0] ?? "") : model;
        const row = this.#report.line(models, at, this.#report.line(config, key));
        this.#report.wait(row, `${key}[${at}]`, `Provider ${shorten(asText(name))}`);
      }
    }
  }

  #addTests(tests: JsonValue | undefined, fallback: JsonObject, { row: line, path, folder }: Place): void {
    const list = listed(tests);
    for (const [at, item] of list.entries()) {
      const place = { row: this.#report.line(list, at, line), path: `${path}[${at}]`, ...(folder && { folder }) };
      const test = this.#references.follow(item);
      if (isBlank(test)) continue;
      const file = isObject(test) ? test.path : test;
      if (isObject(test) && typeof file !== "string") this.addTest(test, fallback, place);
      else if (typeof file === "string") this.#addFiles(file, fallback, place);
    }
  }

  #addFiles(path: string, fallback: JsonObject, place: Place): void {
    const files = this.#options.files.tests(path, place.folder);
    for (const file of files)
      this.#report.within(file.path, file.source.lines, () => this.#addFile(file, fallback, place.path));
    if (files.length === 0)
      this.#report.wait(place.row, place.path, `Tests in ${shorten(path)}: ${explainMissing(path, place.folder)}`);
  }

  /** Records that a file has more rows than an import. Its source has none beyond the limit. */
  checkLength({ count }: Source): void {
    const { rowsMax } = this.#options;
    if (count > rowsMax) this.#count = rowsMax + 1;
  }

  #addFile({ path: file, source }: TestFile, fallback: JsonObject, path: string): void {
    const { isTable, records, columns } = source;
    this.checkLength(source);
    for (const record of records) {
      const isRow = isTable || isRowOfVariables(record.values);
      if (isRow && !isTable) this.#report.note("Rows have no vars: their fields are variables");
      const own = columns.filter(({ key }) => isTable || record.values.has(key));
      const test = isRow ? tableTest(record, own) : Object.fromEntries(record.values);
      this.addTest(test, fallback, { row: record.row, path, folder: folderName(file) });
    }
  }

  #addScenario(scenario: JsonValue, fallback: JsonObject, at: number): void {
    const path = `scenarios[${at}]`;
    if (!isObject(scenario)) {
      this.#report.wait(0, path, `Scenario ${shorten(asText(scenario))}`);
      return;
    }
    const row = this.#report.line(scenario, "tests");
    for (const config of this.#references.readList(scenario.config, { row, path: `${path}.config` }))
      if (isObject(config))
        this.#addTests(scenario.tests ?? [{}], merge(fallback, config), { row, path: `${path}.tests` });
  }

  addTest(found: JsonObject, fallback: JsonObject, place: Place): void {
    if (this.#count > this.#options.rowsMax) return;
    const own = this.#references.readTest(found, place);
    const test = merge(fallback, own);
    this.#listKeys(own, place);
    const options = isObject(test.options) ? test.options : {};
    const expands = this.#options.expandsLists && options.disableVarExpansion !== true;
    const read = this.#references.readVariables(isObject(test.vars) ? test.vars : {}, place);
    const sets = expands ? expand(read, this.#options.rowsMax + 1 - this.#count) : [read];
    if (sets.length > 1) this.#report.note(`Row ${place.row}: lists in variables make ${sets.length} tests`);
    for (const set of sets) {
      this.#count += 1;
      if (this.#count > this.#options.rowsMax) return;
      const row = this.#buildRow({ ...test, vars: set }, options, place, sets.length > 1);
      if (row !== undefined) this.#rows.push(row);
    }
  }

  #buildRow(test: JsonObject, options: JsonObject, place: Place, isExpanded: boolean): ImportRow | undefined {
    const vars = isObject(test.vars) ? test.vars : {};
    const around = (text: string) => `${optionText(options.prefix)}${text}${optionText(options.suffix)}`;
    const filled = this.#fill(vars, test, place);
    const prompts = filled.filter(({ text }) => around(text).length <= promptLengthMax);
    if (prompts.length < filled.length)
      this.#report.wait(place.row, place.path, `A prompt has more than ${promptLengthMax} characters`);
    if (filled.length > 0 && prompts.length === 0) return undefined;
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
    const answer = this.#readAnswer(test, place);
    const examples = prompts.map(({ text, metadata: rest }) => ({
      input: around(text),
      metadata: { ...(isOne ? {} : rest), ...answer },
    }));
    const metadata = { ...own, ...(isOne ? first?.metadata : {}), ...(prompts.length === 0 ? answer : {}) };
    const evaluators = this.#readEvaluators(test, vars, place);
    const fields: JsonObject = {
      ...(title !== undefined && { title }),
      ...((isSame || isOne) && answer === undefined ? { prompt: examples.map(({ input }) => input) } : { examples }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(prompts.length > 0 && { type: "STATIC" }),
      ...(test[occurrenceColumn] !== undefined && { [occurrenceColumn]: test[occurrenceColumn] }),
    };
    return { row: place.row, fields, evaluators };
  }

  /** Returns the recorded answer of a test as metadata. */
  #readAnswer({ providerOutput }: JsonObject, { row, path }: Place): JsonObject | undefined {
    if (providerOutput === undefined || isBlank(providerOutput)) return undefined;
    const answers = new Answers();
    if (!answers.add(answerKey, providerOutput)) this.#report.wait(row, `${path}.${answerKey}`, longAnswer);
    else this.#hasAnswers = true;
    return answers.metadata;
  }

  /** Returns the filled prompts, or else the question among the variables. */
  #fill(vars: JsonObject, test: JsonObject, { row, path }: Place) {
    const { prompts, isWhole } = this.#prompts.fill(vars, test.prompts);
    if (!isWhole)
      this.#report.wait(row, path, "A prompt that needs more than variables, or is too long, was not filled");
    return prompts.length > 0 || isBlank(vars) ? prompts : [readPrompt(vars)];
  }

  #readEvaluators(test: JsonObject, vars: JsonObject, { row, path }: Place): Evaluator[] {
    const evaluators = new TestEvaluators(this.#evaluators);
    const add = (item: JsonValue, field: string): void => {
      const assertion = this.#references.readAssertion(typeof item === "string" ? readAssertionText(item) : item);
      if (!isObject(assertion)) return;
      if (isSimpleSet(assertion)) {
        for (const [at, each] of listed(assertion.assert).entries()) add(each, `${field}.assert[${at}]`);
        return;
      }
      const line = this.#report.line(assertion, "type", row);
      const converted = convertAssertion(assertion, vars);
      if (!("evaluator" in converted)) {
        const { key, reason } = converted;
        const place = key === undefined ? line : this.#report.line(assertion, key, line);
        this.#report.wait(place, key ?? field, reason);
      } else if (!evaluators.add(converted.evaluator)) {
        const message = `Assertion ${assertion.type}: the import has more than ${evaluatorsMax} evaluators`;
        this.#report.wait(line, field, message);
      }
    };
    for (const [at, item] of listed(test.assert).entries()) add(item, `${path}${path === "" ? "" : "."}assert[${at}]`);
    return evaluators.list();
  }

  #listKeys(test: JsonObject, { row, path }: Place): void {
    for (const { within, key, field, message } of unknownKeys(test, path))
      this.#report.wait(this.#report.line(within, key, row), field, message);
  }
}

/** True for a set that passes if all its assertions do. */
const isSimpleSet = ({ type, threshold, weight, assert }: JsonObject) =>
  type === "assert-set" && threshold === undefined && weight === undefined && Array.isArray(assert);
