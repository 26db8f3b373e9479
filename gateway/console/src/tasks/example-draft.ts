// Draft of a task's examples: texts as people enter them, and their conversion to a request.

import type { Schemas } from "../api/request.ts";

export interface ExampleDraft {
  readonly input: string;
  /** Expected answers, any of which is enough. */
  readonly expected: readonly string[];
  /** JSON of the metadata; empty for none. */
  readonly metadata: string;
}

export const newExample: ExampleDraft = { input: "", expected: [], metadata: "" };

export function toExampleDraft({ input, expected, metadata }: Schemas["TaskExample"]): ExampleDraft {
  return {
    input,
    expected: [expected ?? []].flat().map(String),
    metadata: metadata === undefined ? "" : JSON.stringify(metadata, null, 2),
  };
}

/** Returns the examples for a request, without empty ones. */
export function toExamples(drafts: readonly ExampleDraft[]): Schemas["TaskExampleInput"][] {
  return drafts.filter(({ input }) => input.trim() !== "").map(toExample);
}

function toExample({ input, expected, metadata }: ExampleDraft): Schemas["TaskExampleInput"] {
  const texts = expected.filter((text) => text !== "");
  return {
    input,
    ...(texts.length > 0 && { expected: texts.length === 1 ? texts[0] : texts }),
    ...(metadata.trim() !== "" && { metadata: readMetadata(metadata) }),
  };
}

/** Parses the metadata. Returns other text unchanged: the API then returns an issue at this example. */
function readMetadata(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return text as unknown as Record<string, unknown>;
  }
}

/** Formats an example for the conflict dialog. */
export const formatExample = ({ input, expected, metadata }: ExampleDraft): string =>
  [input, ...expected.map((text) => `→ ${text}`), ...(metadata === "" ? [] : [metadata])].join("\n");
