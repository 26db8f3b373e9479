// Describes message parts that are no text (images, audio, files) by a short text with type, name and size or address.

import type { JsonObject } from "@bufbuild/protobuf";
import { truncateText } from "@ems/kit/json/issue-messages";
import { isObject } from "./json-text.ts";

/** Types of parts, without their prefix and suffix: `input_image` and `image_url` are images. */
const types = new Set(["blob", "uri", "file", "image", "audio", "video", "document", "media", "binary"]);
const affixes = /^input[-_]|[-_](?:url|uri|file|data)$/g;

/** Fields of parts without a type. */
const untyped = ["inline_data", "inlineData", "file_data", "fileData", "image", "document", "video", "audio"] as const;

/** Text that replaced binary content (../attachments/extract.ts). */
const replaced = /^\[[^\n]+, (?:\d+(?:\.\d)? (?:B|KiB|MiB)|more than \d+ MiB: not stored)\]$/;
const addresses = new Set([
  "uri",
  "url",
  "file_uri",
  "fileUri",
  "image_url",
  "audio_url",
  "document_url",
  "image",
  "data",
]);
const ids = new Set(["file_id", "fileId", "id"]);
const names = new Set(["filename", "file_name", "fileName", "name", "title"]);
const mediaTypes = new Set(["mime_type", "mimeType", "media_type", "mediaType"]);
const addressMax = 500;
const depthMax = 4;

/** Returns the description; undefined for other parts, and for parts that name nothing. */
export function mediaText(part: JsonObject): string | undefined {
  const type = typeof part.type === "string" ? part.type.replace(affixes, "") : undefined;
  const isMedia = type === undefined ? untyped.some((name) => isObject(part[name])) : types.has(type);
  if (!isMedia) return undefined;
  const texts = [...listTexts(part, depthMax)];
  const find = (isFound: (name: string, value: string) => boolean) =>
    texts.find(([name, value]) => value !== "" && isFound(name, value))?.[1];
  const content = find((_, value) => replaced.test(value));
  if (content !== undefined) return content;
  const label = find((name) => mediaTypes.has(name)) ?? find((name) => name === "modality") ?? type ?? "file";
  const address = find((name, value) => addresses.has(name) && /^[a-z][\w+.-]*:/i.test(value));
  const named = address ?? find((name) => ids.has(name)) ?? find((name) => names.has(name));
  return named === undefined ? undefined : `[${label}: ${truncateText(named, addressMax)}]`;
}

function* listTexts(value: JsonObject, depth: number): Generator<readonly [name: string, value: string]> {
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "string") yield [name, each];
    else if (isObject(each) && depth > 0) yield* listTexts(each, depth - 1);
  }
}
