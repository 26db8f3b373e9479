import { createHash } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { stepFrom } from "../../test/read-otlp.ts";
import { inputText, messages } from "../otlp/messages.ts";
import { Extraction } from "./extract.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
const image = png.toString("base64");
const url = `data:image/png;base64,${image}`;
const short = "[image/png, 20 B]";
const pdf = Buffer.from(`%PDF-1.7 ${"x".repeat(60)}`).toString("base64");

/** Parts of all conventions and vendors with the same picture. */
const pictures: JsonValue[] = [
  { type: "blob", modality: "image", mime_type: "image/png", content: image },
  { type: "blob", modality: "image", content: image },
  { type: "image_url", image_url: { url } },
  { type: "input_image", image_url: url },
  { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
  { type: "image", image, mediaType: "image/png" },
  { type: "image", image: url },
  { type: "file", data: image, mediaType: "image/png" },
  { type: "image", source_type: "base64", mime_type: "image/png", data: image },
  { inline_data: { mime_type: "image/png", data: image } },
  { inlineData: { mimeType: "image/png", data: image } },
  { image: { format: "png", source: { bytes: image } } },
  { type: "image", image: { image: { url } } },
  { type: "binary", media_type: "image/png", content: image },
  { type: "image", data: image, mimeType: "image/png" },
];

test.each(pictures)("the picture in %j becomes an attachment and a text", (part) => {
  const list = [{ role: "user", content: [{ type: "text", text: "What is this?" }, part] }];
  const fields = stepFrom({ "gen_ai.operation.name": "chat", "gen_ai.input.messages": JSON.stringify(list) });
  expect(fields.input).toBe(`What is this?\n${short}`);
  const extraction = new Extraction();
  expect(JSON.stringify(extraction.value(list))).not.toContain(image);
  const hash = createHash("sha256").update(png).digest("hex");
  expect(extraction.attachments).toEqual([{ hash, mediaType: "image/png", name: undefined, content: png }]);
});

test.each([
  [
    { type: "uri", modality: "image", mime_type: "image/png", uri: "https://example.com/a.png" },
    "[image/png: https://example.com/a.png]",
  ],
  [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }, "[image: https://example.com/a.png]"],
  [{ type: "file", modality: "image", file_id: "file-1" }, "[image: file-1]"],
  [{ type: "input_file", file_id: "file-1", filename: "a.pdf" }, "[file: file-1]"],
  [
    { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
    "[application/pdf, 69 B]",
  ],
  [{ type: "input_file", filename: "a.pdf", file_data: pdf }, "[a.pdf, application/pdf, 69 B]"],
  [{ type: "input_audio", input_audio: { data: "A".repeat(80), format: "wav" } }, "[audio/wav, 60 B]"],
  [{ fileData: { fileUri: "gs://bucket/a.mp4", mimeType: "video/mp4" } }, "[video/mp4: gs://bucket/a.mp4]"],
])("the part %j is described as %s", (part, expected) => {
  expect(inputText(messages(new Extraction().value([{ role: "user", content: [part] }])))).toBe(expected);
});

test.each([
  "Plain text without anything binary",
  { type: "text", text: "data" },
  { type: "document", source: { type: "text", media_type: "text/plain", data: "hello" } },
  { type: "file", data: "readme", name: "readme" },
  { mimeType: "text/plain", data: "four" },
  { content: "word", mime_type: "image/png" },
  "0123456789abcdef".repeat(30),
  { digest: "a".repeat(300) },
  '{"broken": ',
  { image: "0123456789abcdef".repeat(4) },
])("%j has no binary content and stays the same", (value) => {
  const extraction = new Extraction();
  expect(extraction.value(value)).toBe(value);
  expect(extraction.attachments).toEqual([]);
});

test("content within texts, JSON in texts and flat attributes is found, once by its hash", () => {
  const extraction = new Extraction();
  expect(extraction.text(`Look: ![a](${url}) and ![b](${url})`)).toBe(`Look: ![a](${short}) and ![b](${short})`);
  expect(extraction.text(JSON.stringify({ result: JSON.stringify({ url }) }))).toBe(
    JSON.stringify({ result: JSON.stringify({ url: short }) }),
  );
  const name = "llm.input_messages.0.message.contents.0.message_content.image.image.url";
  expect(extraction.attributes({ [name]: url, other: 1 })).toEqual({ [name]: short, other: 1 });
  expect(extraction.text(Buffer.concat([png, Buffer.alloc(400)]).toString("base64"))).toBe("[image/png, 420 B]");
  expect(extraction.attachments).toHaveLength(2);
});

test("numbers keep their digits where content is replaced", () => {
  const text = `{"id":9054686819491029395,"image":{"mime_type":"image/png","data":"${image}"}}`;
  expect(new Extraction().text(text)).toBe(
    `{"id":9054686819491029395,"image":{"mime_type":"image/png","data":"${short}"}}`,
  );
});

test("content of more than 10 MiB is not stored, and named as such", () => {
  const extraction = new Extraction();
  const [most, more] = [0, 1].map((extra) => Buffer.alloc(10 * 1024 ** 2 + extra).toString("base64"));
  expect(extraction.value({ type: "blob", content: most ?? "" })).toEqual({
    type: "blob",
    content: "[application/octet-stream, 10.0 MiB]",
  });
  expect(extraction.value({ type: "blob", content: more ?? "" })).toEqual({
    type: "blob",
    content: "[application/octet-stream, more than 10 MiB: not stored]",
  });
  expect(extraction.attachments).toHaveLength(1);
});

test("a data URL of more than 10 MiB in a text is replaced, too", () => {
  const url = `data:image/png;base64,${Buffer.alloc(11 * 1024 * 1024, 1).toString("base64")}`;
  const extraction = new Extraction();
  const text = extraction.text(`See ${url} and data:text/plain;base64,SGk=.`);
  expect(text.length).toBeLessThan(200);
  expect(text).toMatch(/^See \[.*\] and \[.*\]\.$/);
});
