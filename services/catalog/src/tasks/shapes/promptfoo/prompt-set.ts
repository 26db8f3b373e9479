// Prompts of a configuration of promptfoo, into which tests are filled. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ReadPrompt } from "../conversation.ts";
import { asText, isObject } from "../record.ts";
import type { ConfigFiles } from "./config-files.ts";
import { explainMissing } from "./paths.ts";
import { fillPrompt, readTemplate, type Template } from "./prompts.ts";
import type { Report } from "./report.ts";
import { missesVariable } from "./template.ts";
import { firstLine, listed } from "./tests.ts";

interface PromptOptions {
  readonly files: ConfigFiles;
  readonly parse: (text: string) => JsonValue | undefined;
}

export class PromptSet {
  readonly #templates: Template[] = [];
  readonly #options: PromptOptions;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  /** Reads the prompts of a configuration; each is listed as waiting. */
  add(config: JsonObject, report: Report): void {
    const prompts = listPrompts(config.prompts);
    const line = report.line(config, "prompts");
    for (const [at, prompt] of prompts.entries()) {
      const templates = this.#read(prompt, report);
      this.#templates.push(...templates);
      const path = promptPath(prompt);
      const label = isObject(prompt) && typeof prompt.label === "string" ? prompt.label : undefined;
      const inFile = path === undefined ? "" : label === undefined ? path : `${label} in ${path}`;
      const name = inFile === "" ? (templates[0]?.label ?? firstLine(promptName(prompt))) : inFile;
      const state = templates.length > 0 ? "; tests are filled into it" : path && `: ${explainMissing(path)}`;
      const row = Array.isArray(config.prompts) ? report.line(config.prompts, at, line) : line;
      report.wait(row, `prompts[${at}]`, `Prompt ${name}${state ?? ""}`);
    }
  }

  /** Keeps only prompts whose variables are all known: without tests, no other is a test. */
  keepFillable(vars: JsonObject): void {
    const fillable = this.#templates.filter(({ raw }) => !missesVariable(asText(raw), vars));
    this.#templates.splice(0, this.#templates.length, ...fillable);
  }

  get size(): number {
    return this.#templates.length;
  }

  /** Fills the prompts that the test requests; `isWhole` is false if one of them could not be filled. */
  fill(vars: JsonObject, requested: JsonValue | undefined): { prompts: ReadPrompt[]; isWhole: boolean } {
    const labels = Array.isArray(requested) ? requested : undefined;
    const templates =
      labels === undefined
        ? this.#templates
        : this.#templates.filter(({ label, raw }) => labels.includes(label ?? asText(raw)));
    const filled = templates.flatMap((template) => fillPrompt(template, vars, this.#options.parse) ?? []);
    const distinct = new Map(filled.map((prompt) => [JSON.stringify(prompt), prompt]));
    return { prompts: [...distinct.values()], isWhole: filled.length === templates.length };
  }

  #read(prompt: JsonValue, report: Report): Template[] {
    const template = readTemplate(prompt);
    if (template !== undefined) return [template];
    const path = promptPath(prompt);
    if (path === undefined) return [];
    const files = this.#options.files.prompts(path);
    const texts = files.flat();
    if (texts.length > 1 || files.length > 1)
      report.note(`${texts.length} prompts from ${files.length === 1 ? "1 file" : `${files.length} files`}: ${path}`);
    const label = isObject(prompt) && typeof prompt.label === "string" ? prompt.label : path;
    return texts.map((raw) => ({ label, raw }));
  }
}

/** Lists the prompts; an object whose members are labels of files, as the tool still reads it, is a list, too. */
function listPrompts(prompts: JsonValue | undefined): JsonValue[] {
  if (!isObject(prompts) || prompts.raw !== undefined || prompts.id !== undefined) return listed(prompts);
  return Object.entries(prompts).map(([raw, label]) => ({ raw, label }));
}

/** Returns the path of a prompt in a file, in code, or of another service. */
function promptPath(prompt: JsonValue): string | undefined {
  if (readTemplate(prompt) !== undefined) return undefined;
  const path = isObject(prompt) ? (prompt.raw ?? prompt.id) : prompt;
  return typeof path === "string" ? path : undefined;
}

const promptName = (prompt: JsonValue) => asText(isObject(prompt) ? (prompt.id ?? prompt.label ?? prompt) : prompt);
