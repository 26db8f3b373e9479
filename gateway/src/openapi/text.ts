// Texts of the reference, from the doc comments of the protos.

import type { DescEnum, DescField, DescMessage, DescMethod, DescService, JsonObject } from "@bufbuild/protobuf";
import { valueName } from "@ems/kit/enum";
import { comments } from "@ems/proto/comments";
import { withReasons } from "./reasons.ts";

function getText(name: string): string {
  return withReasons(comments[name] ?? "", "rest");
}

export function described(text: string): JsonObject {
  return text === "" ? {} : { description: text };
}

export function messageText({ typeName }: DescMessage): string {
  return getText(typeName);
}

export function fieldText({ parent, name }: DescField): string {
  return getText(`${parent.typeName}.${name}`);
}

/** Returns the enum's comment and a list of its values' comments. */
export function enumText(desc: DescEnum): string {
  const values = desc.values.flatMap((value) => {
    const [name, text] = [valueName(value), getText(`${desc.typeName}.${value.name}`)];
    return name === undefined || text === "" ? [] : [`- \`${name}\`: ${text}`];
  });
  return [getText(desc.typeName), values.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Splits an RPC's comment; the first paragraph is the summary. */
export function methodText({ parent, name }: DescMethod): { summary: string; description: string } {
  const [first = "", ...rest] = (getText(`${parent.typeName}.${name}`) || name).split("\n\n");
  return { summary: first.replace(/\.$/, ""), description: errorsLast(rest) };
}

/** Moves sentences that begin with a status into a list at the end, after the effect of the operation. */
function errorsLast(paragraphs: readonly string[]): string {
  const sentences = (text: string) => text.split(/(?<=[.!?])\s+(?=["`A-Z\d])/);
  const isError = (sentence: string) => /^[45]\d\d\b/.test(sentence);
  const errors = paragraphs.flatMap(sentences).filter(isError);
  if (errors.length === 0) return paragraphs.join("\n\n");
  const paragraphsWithoutErrors = paragraphs.map((text) =>
    sentences(text).some(isError)
      ? sentences(text)
          .filter((sentence) => !isError(sentence))
          .join(" ")
      : text,
  );
  const list = errors
    .flatMap((error) => error.split(/[,;] (?:and )?(?=[45]\d\d\b)/))
    .map((error) => `- ${error.replace(/\.$/, "")}`)
    .join("\n");
  return [...paragraphsWithoutErrors.filter((text) => text !== ""), "**Errors**", list].join("\n\n");
}

/** Parses the tag of a public service's comment, which starts with it: "API keys: …". */
export function serviceTag({ typeName }: DescService): { name: string; description: string } {
  const [, name, text = ""] = /^([A-Z][\w ]+): (.+)$/s.exec(getText(typeName)) ?? [];
  if (name === undefined) throw new Error(`${typeName}: the comment must start with a tag for the API reference`);
  return { name, description: text.charAt(0).toUpperCase() + text.slice(1) };
}
