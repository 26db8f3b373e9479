import { readTextFile } from "./read-text-file.ts";

/** Reads a file as text, or a workbook, which begins like a ZIP archive, as base64. */
export async function readImportFile(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isArchive = start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4;
  return isArchive ? encodeBase64(new Uint8Array(await file.arrayBuffer())) : readTextFile(file);
}

/** Bytes that are encoded at once, a multiple of three, so that the parts can be joined. */
const partBytes = 3 * 8_192;

function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += partBytes)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + partBytes)));
  return text;
}
