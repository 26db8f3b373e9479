// The words of the reference: the doc comments of the protos, and names for people made from the names of services.

import type { DescEnum, DescField, DescMessage, DescMethod, DescService, JsonObject } from "@bufbuild/protobuf";
import { valueName } from "@ems/kit/json/enum-names";
import { comments } from "@ems/proto/comments";

/** `text` as the description of something, if there is any. */
export function described(text: string): JsonObject {
  return text === "" ? {} : { description: text };
}

export function messageText({ typeName }: DescMessage): string {
  return comments[typeName] ?? "";
}

export function fieldText({ parent, name }: DescField): string {
  return comments[`${parent.typeName}.${name}`] ?? "";
}

/** What the enum says, and what each of its values means. */
export function enumText(desc: DescEnum): string {
  const values = desc.values.flatMap((value) => {
    const [name, text] = [valueName(value), comments[`${desc.typeName}.${value.name}`]];
    return name === undefined || text === undefined ? [] : [`- \`${name}\`: ${text}`];
  });
  return [comments[desc.typeName] ?? "", values.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** The first paragraph of an RPC's comment, and the rest. */
export function methodText({ parent, name }: DescMethod): { summary: string; description: string } {
  const [first = "", ...rest] = (comments[`${parent.typeName}.${name}`] ?? name).split("\n\n");
  return { summary: first.replace(/\.$/, ""), description: rest.join("\n\n") };
}

export function serviceTag(service: DescService): { name: string; description: string } {
  const name = serviceName(service);
  const text = comments[service.typeName] ?? name;
  // "Topics: what people …" stands below the heading "Topics".
  const rest = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
  return { name, description: rest.charAt(0).toUpperCase() + rest.slice(1) };
}

const spelling: Readonly<Record<string, string>> = { Api: "API", Eval: "evaluation" };
const uncountable = /(?:ing|Ingest|Feedback|Config)$/;

/** ApiKeyService as "API keys". */
function serviceName({ name }: DescService): string {
  const noun = name.replace(/Service$/, "");
  const words = noun.split(/(?=[A-Z])/).map((word) => spelling[word] ?? word.toLowerCase());
  const phrase = words.join(" ") + (uncountable.test(noun) ? "" : "s");
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
