// Kinds of files, most specific first: how each is recognized, and the fields that its columns become. Pure.

import type { TaskImportShape } from "@ems/proto/catalog/v1/task_service";
import { normalizeName } from "./record.ts";

export type ShapeName = Exclude<keyof typeof TaskImportShape, "UNSPECIFIED">;

/**
 * Field that a column becomes. `keep`: metadata under the column's name. `chat`: prompt and expectation from messages.
 * `spread`: members are columns of their own. `answer`: a recorded answer, which becomes metadata of the examples.
 * `skip`: bookkeeping of the other tool.
 */
export type Target =
  | "prompt"
  | "expected"
  | "title"
  | "description"
  | "id"
  | "metadata"
  | "keep"
  | "chat"
  | "spread"
  | "answer"
  | "skip";

/** Names of columns, each normalized and as written, and a question about the values. */
export interface Seen {
  has(...names: string[]): boolean;
  hasAny(...names: string[]): boolean;
  /** True if a column has exactly this name. */
  isWritten(name: string): boolean;
  /** True if the column has objects or lists. */
  isNested(name: string): boolean;
  readonly names: readonly string[];
}

export interface Shape {
  readonly name: ShapeName;
  readonly isLike: (seen: Seen) => boolean;
  /** Fields by normalized name. Of several columns for one field, the first in this order counts. */
  readonly targets: Readonly<Record<string, Target>>;
}

const bookkeeping: Readonly<Record<string, Target>> = Object.fromEntries(
  [
    ...["createdat", "updatedat", "modifiedat", "created", "datasetid", "datasetname", "projectid", "projectname"],
    ...[
      "sourcetraceid",
      "sourceobservationid",
      "sourcerunid",
      "sourcespanid",
      "xactid",
      "rootspanid",
      "spanid",
      "isroot",
    ],
    ...["nodeid", "versionid", "paginationkey", "origin", "spanattributes", "validfrom", "validto", "mediareferences"],
    ...["audittext", "auditdata", "classifications", "facets", "comments"],
  ].map((name) => [name, "skip" as const]),
);

/** Metadata that several tools have. */
const usual: Readonly<Record<string, Target>> = {
  ...bookkeeping,
  id: "id",
  metadata: "metadata",
  tags: "keep",
};

/** Names of columns in tables of one's own; earlier names of a field take precedence. */
const tableTargets: Readonly<Record<string, Target>> = {
  ...Object.fromEntries(
    [
      "question",
      "prompt",
      "input",
      "query",
      "userinput",
      "userquery",
      "usermessage",
      "instruction",
      "utterance",
      "text",
    ].map((name) => [name, "prompt" as const]),
  ),
  ...Object.fromEntries(
    [
      ...["expected", "expectedanswer", "expectedoutput", "expectedresponse", "groundtruth", "ideal", "idealanswer"],
      ...["reference", "referenceanswer", "answer", "output", "completion", "response", "target", "label"],
    ].map((name) => [name, "expected" as const]),
  ),
  title: "title",
  description: "description",
  id: "id",
  externalid: "id",
  exampleid: "id",
  metadata: "metadata",
};

export const shapes: readonly Shape[] = [
  {
    name: "OPENAI_FINE_TUNING",
    isLike: ({ has, hasAny }) =>
      (has("messages") && !hasAny("input", "title", "inputs", "userinput")) ||
      has("conversations") ||
      has("prompt", "completion") ||
      has("preferredoutput"),
    targets: {
      ...usual,
      messages: "chat",
      conversations: "chat",
      prompt: "prompt",
      input: "prompt",
      completion: "expected",
      preferredoutput: "expected",
      nonpreferredoutput: "keep",
      system: "keep",
      tools: "keep",
      functions: "keep",
      paralleltoolcalls: "keep",
      weight: "keep",
    },
  },
  {
    name: "OPENAI_EVALS",
    isLike: ({ has, isNested }) => has("input", "ideal") || isNested("item"),
    targets: {
      ...usual,
      item: "spread",
      input: "prompt",
      ideal: "expected",
      ...tableTargets,
      output: "answer",
      sample: "answer",
      completion: "answer",
      evalid: "skip",
      runid: "skip",
    },
  },
  {
    name: "RAGAS",
    isLike: ({ has, hasAny }) =>
      has("userinput") || (has("question") && hasAny("groundtruth", "groundtruths", "contexts", "evolutiontype")),
    targets: {
      ...usual,
      userinput: "prompt",
      question: "prompt",
      reference: "expected",
      groundtruth: "expected",
      groundtruths: "expected",
      retrievedcontexts: "keep",
      referencecontexts: "keep",
      contexts: "keep",
      rubrics: "keep",
      rubric: "keep",
      synthesizername: "keep",
      evolutiontype: "keep",
      personaname: "keep",
      querystyle: "keep",
      querylength: "keep",
      referencetopics: "keep",
      referencetoolcalls: "keep",
      retrievedcontextids: "keep",
      referencecontextids: "keep",
      episodedone: "skip",
      response: "answer",
      multiresponses: "answer",
      answer: "answer",
    },
  },
  {
    name: "LANGFUSE",
    isLike: ({ has, hasAny, isWritten }) =>
      has("input") &&
      (hasAny("sourcetraceid", "sourceobservationid") || (has("expectedoutput") && isWritten("expectedOutput"))),
    targets: { ...usual, input: "prompt", expectedoutput: "expected", status: "skip" },
  },
  {
    name: "DEEPEVAL",
    isLike: ({ has, hasAny, isWritten }) =>
      (has("input") && (isWritten("expected_output") || hasAny("actualoutput", "retrievalcontext"))) ||
      (has("scenario") && hasAny("expectedoutcome", "userdescription", "turns")),
    targets: {
      ...usual,
      ...Object.fromEntries([["turns", "keep" as const]]),
      input: "prompt",
      expectedoutput: "expected",
      scenario: "description",
      name: "title",
      context: "keep",
      retrievalcontext: "keep",
      additionalmetadata: "metadata",
      customcolumnkeyvalues: "metadata",
      sourcefile: "keep",
      expectedtools: "keep",
      expectedoutcome: "keep",
      userdescription: "keep",
      comments: "keep",
      actualoutput: "answer",
      toolscalled: "answer",
      expectations: "keep",
      persona: "keep",
      tokencost: "skip",
      inputtokencount: "skip",
      outputtokencount: "skip",
      completiontime: "skip",
    },
  },
  {
    name: "LANGSMITH",
    isLike: ({ has, names }) =>
      has("inputs") ||
      (names.some((name) => /^inputs?[._]\w/.test(name)) &&
        names.some((name) => /^(?:outputs?|reference)[._]\w/.test(name))),
    targets: {
      ...usual,
      inputs: "prompt",
      referenceoutputs: "expected",
      reference: "expected",
      outputs: "expected",
      name: "skip",
      split: "keep",
      attachmenturls: "keep",
      attachments: "keep",
    },
  },
  {
    name: "BRAINTRUST",
    isLike: ({ has }) => has("input", "expected") && !has("title"),
    targets: {
      ...usual,
      input: "prompt",
      expected: "expected",
      output: "answer",
      scores: "skip",
      metrics: "skip",
      error: "skip",
      context: "skip",
      log: "skip",
    },
  },
  {
    name: "PHOENIX",
    isLike: ({ has, hasAny, isNested }) =>
      has("input", "output") && (hasAny("exampleid", "nodeid") || (isNested("input") && isNested("output"))),
    targets: {
      ...usual,
      exampleid: "id",
      input: "prompt",
      referenceoutput: "expected",
      reference: "expected",
      output: "expected",
      annotations: "skip",
      splits: "keep",
    },
  },
];

export const table: Shape = {
  name: "TABLE",
  isLike: ({ names }) => names.some((name) => tableTargets[normalizeName(name)] === "prompt"),
  targets: tableTargets,
};
