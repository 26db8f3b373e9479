// Paths in configurations of promptfoo: `file://tests/a.yaml`, `./a.csv`, `cases.py:make_cases`. Pure.

import { isGlob } from "./glob.ts";

/** Returns the path relative to the configuration, of a path relative to `folder`. */
export function plainPath(path: string, folder = ""): string {
  const parts = `${folder}/${path.replace(/^file:\/\//, "")}`.split("/");
  const plain: string[] = [];
  for (const part of parts) {
    if (part === ".." && plain.length > 0 && plain.at(-1) !== "..") plain.pop();
    else if (part !== "." && part !== "") plain.push(part);
  }
  return plain.join("/");
}

export const folderName = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const code = /\.(?:py|[cm]?[jt]sx?|rb|go|sh|bash|exe|bat|cmd|ps1|pl)(?::[\w.]+)?$/i;
const media =
  /\.(?:png|jpe?g|gif|webp|bmp|svgz|ico|avif|heic|tiff?|mp[34]|wav|ogg|m4a|flac|webm|mov|avi|pdf|xlsx?|zip)$/i;

/** True for a script, which the tool runs to get a value. */
export const isCode = (path: string) => code.test(path) || path.startsWith("exec:");

/** True for prompts and rows of other services. */
export const isRemote = (path: string) => /^(?:https?|az|hf|huggingface|langfuse|portkey|helicone|package):/.test(path);

export const isText = (path: string) => !media.test(path);

/** Says why a file was not read, and which one is needed. */
export function explainMissing(path: string, folder = ""): string {
  if (isRemote(path)) return "it is in another service";
  if (isCode(path)) return "code is not run";
  const plain = plainPath(path, folder);
  if (!isText(plain)) return "it is not a text file";
  return `${isGlob(plain) ? "no file matches" : "the file is missing"}. Send ${plain} in files`;
}
