import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./bundle.ts";

/** Returns the licenses of the libraries that contain `sources`, because a bundle does not include license files. */
export async function licenses(sources: readonly string[]): Promise<string> {
  const folders = sources.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(path)?.[0]);
  const texts: string[] = [];
  for (const folder of new Set(folders.filter((folder) => folder !== undefined).sort())) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    const files = (await readdir(join(root, folder))).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    const contents = await Promise.all(files.map((file) => readFile(join(root, folder, file), "utf8")));
    texts.push([`${name} ${version} (${license})`, ...contents.map((text) => text.trim())].join("\n\n"));
  }
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
