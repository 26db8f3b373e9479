import type { UploadedFile } from "./documents-of-file.ts";
import { fieldLengthMax, filesMax, partsMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Fields of a form by name, and its files. A field may replace the name of a single file. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly files: readonly UploadedFile[];
}

/** Parses multipart/form-data with the platform's parser. */
export async function readForm(payload: Uint8Array<ArrayBuffer>, contentType: string): Promise<UploadForm> {
  const form = await parsed(payload, contentType).catch(() => {
    throw new Refusal("The body is not multipart/form-data", { field: "" });
  });
  const parts = [...form];
  if (parts.length > partsMax) throw new Refusal(`A form has at most ${partsMax} parts`, { field: "" });
  const fields: Record<string, string[]> = Object.create(null);
  const files: File[] = [];
  for (const [name, value] of parts) {
    if (name.length > 100) throw new Refusal("A field's name is too long", { field: "" });
    if (typeof value !== "string") files.push(fileNamed(name, value));
    else if (value.length > fieldLengthMax) throw new Refusal("The field is too long", { field: name });
    else fields[name] = [...(fields[name] ?? []), value];
  }
  if (files.length === 0) throw new Refusal("Required", { field: "file" });
  if (files.length > filesMax) throw new Refusal(`Expected at most ${filesMax} files`, { field: "file" });
  const read = files.map(async (file) => {
    return { name: file.name, mediaType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
  });
  return { fields, files: await Promise.all(read) };
}

/** Parses the form; rejects one whose content type is not a valid header value. */
async function parsed(payload: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  return new Response(payload, { headers: { "content-type": contentType } }).formData();
}

function fileNamed(name: string, file: File): File {
  if (name !== "file") throw new Refusal("Expected the file in the field `file`", { field: name });
  return file;
}
