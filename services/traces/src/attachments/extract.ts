// Pure: finds binary content (images, audio, documents) in the payloads of all conventions, and replaces it by a short
// text with its type and size. The content becomes an attachment.

import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber, parseJson } from "@ems/kit/json/exact-number";
import { truncateText } from "@ems/kit/json/issue-messages";
import { isStructure, jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";
import { attachmentBytesMax, sizeText } from "@ems/proto/limits";
import { mayBeBinary } from "./may-be-binary.ts";
import { sniffMediaType } from "./media-types.ts";

/** Binary content with its SHA-256 hash in hexadecimal digits. */
export interface Attachment {
  readonly hash: string;
  readonly mediaType: string;
  readonly name: string | undefined;
  readonly content: Buffer;
}

/** Maximum number of attachments of a step; more remain only as texts with type and size. */
const stepAttachmentsMax = 100;

const dataUrlHead = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,"\s]*)*;base64,(?=[A-Za-z0-9+/_-])/g;
/** Characters that Base64 does not have, and padding before the end. A search, because a match of the whole overflows. */
const notBase64 = /[^A-Za-z0-9+/_=\r\n-]|=[^=]|===/;
const isBase64 = (text: string) => {
  const trimmed = text.trimEnd();
  return trimmed !== "" && !notBase64.test(trimmed);
};
const depthMax = 16;

/** Fields that contain binary content. `content` does so only in blobs. */
const contentFields = [
  "data",
  "bytes",
  "base64",
  "blob",
  "b64_json",
  "file_data",
  "fileData",
  "image",
  "content",
] as const;
const mediaTypeFields = ["mime_type", "mimeType", "media_type", "mediaType", "mimetype"] as const;
const nameFields = ["filename", "file_name", "fileName", "name", "title"] as const;
/** Fields whose content is binary also without a media type, if it is long. */
const binaryFields: ReadonlySet<string> = new Set(["bytes", "base64", "blob", "b64_json", "file_data", "fileData"]);
const longMin = 64;
const binaryTypes = new Set(["blob", "base64", "binary"]);
const mediaTypes = new Set(["image", "audio", "video", "file", "document", "input_audio", "input_file", "input_image"]);

/** Collects the attachments of a step. */
export class Extraction {
  readonly #found = new Map<string, Attachment>();

  get attachments(): readonly Attachment[] {
    return [...this.#found.values()];
  }

  /** Returns attributes without binary content. */
  attributes(attributes: JsonObject): JsonObject {
    let replaced: JsonObject | undefined;
    for (const name in attributes) {
      const value = attributes[name];
      const next = value === undefined ? undefined : this.value(value);
      if (next === undefined || next === value) continue;
      replaced ??= { ...attributes };
      replaced[name] = next;
    }
    return replaced ?? attributes;
  }

  /** Returns the value without binary content; the same value if it has none. */
  value(value: JsonValue, depth = 0): JsonValue {
    if (typeof value === "string") return this.text(value, depth);
    if (typeof value !== "object" || value === null || isExactNumber(value) || depth > depthMax) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.value(item, depth + 1));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const replaced = this.#part(value);
    const entries = Object.entries(replaced).map(([name, item]) => [name, this.value(item, depth + 1)] as const);
    const isChanged = replaced !== value || entries.some(([name, item]) => item !== value[name]);
    return isChanged ? Object.fromEntries(entries) : value;
  }

  /** Returns the text without binary content, also in JSON that the text contains. */
  text(text: string, depth = 0): string {
    if (!mayBeBinary(text)) return text;
    if (isStructure(text) && depth <= depthMax) {
      const json = tryReadJsonText(text, jsonTextLimits, parseJson);
      if (json !== undefined) {
        const replaced = this.value(json, depth + 1);
        return replaced === json ? text : JSON.stringify(replaced);
      }
    }
    const replaced = replaceDataUrls(text, (digits, mediaType) => this.#add(decode(digits), mediaType, undefined));
    if (replaced !== text || !isBase64(text)) return replaced;
    const content = decode(text);
    const mediaType = sniffMediaType(content);
    return mediaType === undefined ? text : this.#add(content, mediaType, undefined);
  }

  /** Replaces the binary content of a message part; returns the same object if it has none. */
  #part(part: JsonObject): JsonObject {
    const type = textIn(part, ["type", "kind"]) ?? "";
    const mediaType = textIn(part, mediaTypeFields);
    for (const field of contentFields) {
      const value = part[field];
      if (typeof value !== "string" || !isBase64(value) || type === "text") continue;
      if (field === "content" && !binaryTypes.has(type)) continue;
      const content = decode(value);
      const sniffed = sniffMediaType(content);
      const isMedia = mediaType !== undefined && !mediaType.startsWith("text/") && field !== "image";
      const format = textIn(part, ["format"]);
      const formatType = field === "data" || field === "bytes" ? formatTypes[format ?? ""] : undefined;
      const isNamed = binaryTypes.has(type) || isMedia || formatType !== undefined;
      const isLong = value.length >= longMin && (mediaTypes.has(type) || binaryFields.has(field));
      if (content.length === 0 || !(isNamed || isLong || sniffed !== undefined)) continue;
      const guessed = mediaType ?? sniffed ?? formatType;
      return { ...part, [field]: this.#add(content, guessed, textIn(part, nameFields)) };
    }
    return part;
  }

  /** Returns the text that replaces the content. */
  #add(content: Buffer, sent: string | undefined, name: string | undefined): string {
    const mediaType = sent ?? sniffMediaType(content) ?? "application/octet-stream";
    const label = [...(name === undefined ? [] : [truncateText(name, 200)]), mediaType.toLowerCase()].join(", ");
    if (content.length > attachmentBytesMax) return `[${label}, more than ${sizeText(attachmentBytesMax)}: not stored]`;
    const hash = createHash("sha256").update(content).digest("hex");
    if (this.#found.size < stepAttachmentsMax || this.#found.has(hash))
      this.#found.set(hash, { hash, mediaType: mediaType.toLowerCase(), name, content });
    return `[${label}, ${formatSize(content.length)}]`;
  }
}

const formatTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  pdf: "application/pdf",
};

/** Also decodes the URL-safe alphabet. */
function decode(digits: string): Buffer {
  return Buffer.from(digits, "base64");
}

function textIn(part: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = part[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function formatSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const [unit, name] = bytes < 1_048_576 ? [1_024, "KiB"] : [1_048_576, "MiB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

/** Replaces the data URLs of a text. Their ends are searched for, because a match of long content overflows. */
function replaceDataUrls(text: string, replace: (digits: string, mediaType: string | undefined) => string): string {
  let result = "";
  let at = 0;
  for (const { 0: head, 1: mediaType, index } of text.matchAll(dataUrlHead)) {
    if (index < at) continue;
    const start = index + head.length;
    const length = text.slice(start).search(/[^A-Za-z0-9+/_-]/);
    const end = length < 0 ? text.length : start + length;
    const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
    result += text.slice(at, index) + replace(text.slice(start, end), mediaType);
    at = end + padding;
  }
  return result + text.slice(at);
}
